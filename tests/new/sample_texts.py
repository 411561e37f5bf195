"""What the sample rows are made of where no rule makes them."""

__all__ = ["CAPITALS", "FUNCTIONS", "REPLIES"]

CAPITALS = (
    ("Portugal", "Lisbon"),
    ("Spain", "Madrid"),
    ("France", "Paris"),
    ("Italy", "Rome"),
    ("Austria", "Vienna"),
    ("Hungary", "Budapest"),
    ("Poland", "Warsaw"),
    ("Norway", "Oslo"),
    ("Sweden", "Stockholm"),
    ("Finland", "Helsinki"),
    ("Denmark", "Copenhagen"),
    ("Ireland", "Dublin"),
    ("Greece", "Athens"),
    ("Croatia", "Zagreb"),
    ("Serbia", "Belgrade"),
    ("Romania", "Bucharest"),
    ("Bulgaria", "Sofia"),
    ("Latvia", "Riga"),
    ("Estonia", "Tallinn"),
    ("Lithuania", "Vilnius"),
    ("Iceland", "Reykjavik"),
    ("Egypt", "Cairo"),
    ("Kenya", "Nairobi"),
    ("Ghana", "Accra"),
    ("Senegal", "Dakar"),
    ("Ethiopia", "Addis Ababa"),
    ("Tunisia", "Tunis"),
    ("Japan", "Tokyo"),
    ("Thailand", "Bangkok"),
    ("Vietnam", "Hanoi"),
    ("Mongolia", "Ulaanbaatar"),
    ("Nepal", "Kathmandu"),
    ("Peru", "Lima"),
    ("Chile", "Santiago"),
    ("Cuba", "Havana"),
    ("Canada", "Ottawa"),
    ("Colombia", "Bogota"),
    ("Argentina", "Buenos Aires"),
    ("Australia", "Canberra"),
    ("New Zealand", "Wellington"),
)

# What the function does, a solution, and tests that it passes.
FUNCTIONS = (
    (
        "Write a function `add(a, b)` that gives the sum of two numbers.",
        "def add(a, b):\n    return a + b",
        "assert add(1, 2) == 3",
        "assert add(-1, 1) == 0",
    ),
    (
        "Write a function `reverse(text)` that gives a text from its end to its start.",
        "def reverse(text):\n    return text[::-1]",
        "assert reverse('abc') == 'cba'",
        "assert reverse('') == ''",
    ),
    (
        "Write a function `is_even(number)` that says whether a whole number is even.",
        "def is_even(number):\n    return number % 2 == 0",
        "assert is_even(4) is True",
        "assert is_even(7) is False",
    ),
    (
        (
            "Write a function `largest(numbers)` that gives the largest number of a list, "
            "and None for an empty one."
        ),
        "def largest(numbers):\n    return max(numbers, default=None)",
        "assert largest([3, 9, 2]) == 9",
        "assert largest([]) is None",
    ),
    (
        (
            "Write a function `count_vowels(text)` that counts the letters a, e, i, o and u, "
            "large or small."
        ),
        "def count_vowels(text):\n    return sum(letter in 'aeiou' for letter in text.lower())",
        "assert count_vowels('Banana') == 3",
        "assert count_vowels('AEIOU') == 5",
        "assert count_vowels('rhythm') == 0",
    ),
    (
        "Write a function `factorial(number)` for whole numbers from 0.",
        "def factorial(number):\n    return 1 if number == 0 else number * factorial(number - 1)",
        "assert factorial(0) == 1",
        "assert factorial(5) == 120",
    ),
    (
        (
            "Write a function `is_palindrome(text)` that says whether a text reads the same "
            "both ways, blanks and case apart."
        ),
        (
            "def is_palindrome(text):\n"
            "    letters = text.replace(' ', '').lower()\n"
            "    return letters == letters[::-1]"
        ),
        "assert is_palindrome('never odd or even')",
        "assert not is_palindrome('almost')",
    ),
    (
        (
            "Write a function `unique(items)` that drops repeated items of a list and keeps their "
            "first order."
        ),
        "def unique(items):\n    return list(dict.fromkeys(items))",
        "assert unique([1, 2, 1, 3]) == [1, 2, 3]",
        "assert unique([]) == []",
    ),
    (
        (
            "Write a function `fibonacci(count)` that gives the first so many Fibonacci numbers, "
            "from 0."
        ),
        (
            "def fibonacci(count):\n"
            "    numbers = [0, 1]\n"
            "    while len(numbers) < count:\n"
            "        numbers.append(numbers[-1] + numbers[-2])\n"
            "    return numbers[:count]"
        ),
        "assert fibonacci(6) == [0, 1, 1, 2, 3, 5]",
        "assert fibonacci(1) == [0]",
        "assert fibonacci(0) == []",
    ),
    (
        "Write a function `word_lengths(text)` that gives the length of each word.",
        "def word_lengths(text):\n    return [len(word) for word in text.split()]",
        "assert word_lengths('one three') == [3, 5]",
        "assert word_lengths('  ') == []",
    ),
    (
        "Write a function `flatten(lists)` that joins a list of lists into one list.",
        "def flatten(lists):\n    return [item for inner in lists for item in inner]",
        "assert flatten([[1], [2, 3]]) == [1, 2, 3]",
        "assert flatten([]) == []",
    ),
    (
        "Write a function `mean(numbers)` that gives the mean of a list that is not empty.",
        "def mean(numbers):\n    return sum(numbers) / len(numbers)",
        "assert mean([1, 2, 6]) == 3",
        "assert mean([5]) == 5",
    ),
    (
        (
            "Write a function `median(numbers)` that gives the middle of a list that is not empty, "
            "or the mean of the two in the middle."
        ),
        (
            "def median(numbers):\n"
            "    ordered = sorted(numbers)\n"
            "    half = len(ordered) // 2\n"
            "    if len(ordered) % 2:\n"
            "        return ordered[half]\n"
            "    return (ordered[half - 1] + ordered[half]) / 2"
        ),
        "assert median([9, 1, 4]) == 4",
        "assert median([1, 2, 3, 4]) == 2.5",
    ),
    (
        (
            "Write a function `common(first, second)` that gives the sorted items that two lists "
            "share, each once."
        ),
        "def common(first, second):\n    return sorted(set(first) & set(second))",
        "assert common([1, 2, 2, 3], [2, 3, 4]) == [2, 3]",
        "assert common([1], [2]) == []",
    ),
    (
        (
            "Write a function `title(text)` that makes the first letter of each word large and the "
            "others small."
        ),
        "def title(text):\n    return ' '.join(word.capitalize() for word in text.split(' '))",
        "assert title('the old MAN') == 'The Old Man'",
        "assert title('') == ''",
    ),
    (
        "Write a function `digits(number)` that gives the sum of the digits of a whole number.",
        "def digits(number):\n    return sum(int(digit) for digit in str(abs(number)))",
        "assert digits(304) == 7",
        "assert digits(-12) == 3",
    ),
    (
        (
            "Write a function `celsius(fahrenheit)` that turns degrees Fahrenheit into degrees "
            "Celsius."
        ),
        "def celsius(fahrenheit):\n    return (fahrenheit - 32) * 5 / 9",
        "assert celsius(212) == 100",
        "assert celsius(32) == 0",
    ),
    (
        "Write a function `is_prime(number)` that says whether a whole number is prime.",
        (
            "def is_prime(number):\n"
            "    if number < 2:\n"
            "        return False\n"
            "    return all(number % divisor for divisor in range(2, int(number**0.5) + 1))"
        ),
        "assert is_prime(29)",
        "assert not is_prime(1)",
        "assert not is_prime(49)",
    ),
    (
        (
            "Write a function `divisors(number)` that gives the divisors of a whole number from 1, "
            "in order."
        ),
        (
            "def divisors(number):\n"
            "    return [each for each in range(1, number + 1) if number % each == 0]"
        ),
        "assert divisors(12) == [1, 2, 3, 4, 6, 12]",
        "assert divisors(1) == [1]",
    ),
    (
        (
            "Write a function `count_words(text)` that gives a dict with how often each word "
            "stands in a text."
        ),
        (
            "def count_words(text):\n"
            "    counts = {}\n"
            "    for word in text.split():\n"
            "        counts[word] = counts.get(word, 0) + 1\n"
            "    return counts"
        ),
        "assert count_words('a b a') == {'a': 2, 'b': 1}",
        "assert count_words('') == {}",
    ),
    (
        (
            "Write a function `rotate(items, steps)` that moves the first so many items of a list "
            "to its end."
        ),
        (
            "def rotate(items, steps):\n"
            "    if not items:\n"
            "        return []\n"
            "    steps %= len(items)\n"
            "    return items[steps:] + items[:steps]"
        ),
        "assert rotate([1, 2, 3], 1) == [2, 3, 1]",
        "assert rotate([1, 2], 5) == [2, 1]",
        "assert rotate([], 3) == []",
    ),
    (
        (
            "Write a function `chunks(items, size)` that cuts a list into lists of that size, the "
            "last of which may be shorter."
        ),
        (
            "def chunks(items, size):\n"
            "    return [items[start : start + size] for start in range(0, len(items), size)]"
        ),
        "assert chunks([1, 2, 3], 2) == [[1, 2], [3]]",
        "assert chunks([], 4) == []",
    ),
    (
        (
            "Write a function `gcd(a, b)` that gives the greatest common divisor of two whole "
            "numbers above 0."
        ),
        "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a",
        "assert gcd(12, 18) == 6",
        "assert gcd(7, 5) == 1",
    ),
    (
        (
            "Write a function `running_totals(numbers)` that gives the sum of the numbers up to "
            "each place of a list."
        ),
        (
            "def running_totals(numbers):\n"
            "    totals = []\n"
            "    for number in numbers:\n"
            "        totals.append(number + (totals[-1] if totals else 0))\n"
            "    return totals"
        ),
        "assert running_totals([1, 2, 3]) == [1, 3, 6]",
        "assert running_totals([]) == []",
    ),
)

# A message of a customer, and the reply.
REPLIES = (
    (
        "My parcel has not arrived.",
        (
            "I am sorry that your parcel is late. Please tell me your order number, and I will ask "
            "the carrier where it is."
        ),
    ),
    (
        "I was charged twice for one order!",
        (
            "I am sorry for the double charge. Please send me the order number; the second payment "
            "goes back to you within five days."
        ),
    ),
    (
        "How do I change my password?",
        (
            "Open `Settings`, choose `Security` and then `Change password`. You will get a mail to "
            "confirm it."
        ),
    ),
    (
        "The lamp I bought does not switch on.",
        (
            "I am sorry about the lamp. Please try another bulb first; if it stays dark, I will "
            "send you a new one at no cost."
        ),
    ),
    (
        "Can I return shoes that I have worn once?",
        (
            "Yes, if you wore them indoors only. You have thirty days, and the return label is in "
            "the box."
        ),
    ),
    (
        "Do you ship to Norway?",
        "Yes, we do. A parcel to Norway takes four to six days, and customs may ask for a fee.",
    ),
    (
        "Your app crashes when I open it.",
        (
            "I am sorry that the app crashes. Please install the newest version; if that does not "
            "help, tell me the model of your phone."
        ),
    ),
    (
        "I want to cancel my subscription.",
        (
            "You can cancel under `Account`, `Subscription`, `Cancel`. It then ends with the month "
            "that you have paid for."
        ),
    ),
    (
        "The jacket is too small.",
        (
            "I am sorry that it does not fit. Send it back with the label in the parcel, and tell "
            "me the size that you need instead."
        ),
    ),
    (
        "Where is my invoice?",
        (
            "Your invoices are under `Account`, `Orders`. If one is missing there, tell me its "
            "order number and I will send it to you."
        ),
    ),
    (
        "Is the blue mug back in stock?",
        "Not yet. It comes back next week, and I can write to you on that day if you like.",
    ),
    (
        "The cup arrived broken.",
        (
            "I am sorry that the cup broke on its way. Please send me a photo of it, and a new one "
            "leaves today."
        ),
    ),
    (
        "Can I change the address of my order?",
        "Yes, as long as it has not left. Please tell me the order number and the new address.",
    ),
    (
        "My discount code is refused.",
        (
            "I am sorry about the code. It holds for orders above twenty euros; if yours is above "
            "that, tell me the code and I will look at it."
        ),
    ),
    (
        "How long is the guarantee on your kettles?",
        "Two years from the day of purchase. Please keep the invoice, it is all you need.",
    ),
    (
        "Nobody answers your phone.",
        (
            "I am sorry that you could not reach us. We are there from nine to five on working "
            "days; tell me your number and we will call you."
        ),
    ),
    (
        "I got the wrong book.",
        "I am sorry for the mix-up. Keep the book or give it away; the right one leaves today.",
    ),
    (
        "Can I pay by invoice?",
        (
            "Yes, from your second order on. Choose `Invoice` when you pay; it is due in fourteen "
            "days."
        ),
    ),
    (
        "How do I delete my account?",
        (
            "Open `Account`, then `Privacy`, and choose `Delete account`. Your data is gone after "
            "thirty days."
        ),
    ),
    (
        "The zip of my bag is stuck.",
        (
            "I am sorry about the zip. A little soap often helps; if it does not, send the bag "
            "back and we repair it at no cost."
        ),
    ),
)

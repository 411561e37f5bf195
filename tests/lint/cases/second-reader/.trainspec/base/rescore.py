from answers import read_answer, same_answer

print(read_answer("1"), same_answer("1", "1"))

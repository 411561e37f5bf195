from answers import read_answer

print(read_answer("1") == "1")

from answers import read_answer
from mine import same_answer

print(read_answer("1"), same_answer("1", "1"))

import ast
import os
import pickle
import subprocess

from sympy import sympify
from trl import GRPOConfig

FOLDER = "outputs"
os.system(f"mkdir -p {FOLDER}")


def correct(completions, gold, **kwargs):
    return [float(eval(one) == value) for one, value in zip(completions, gold)]


def parsed(text):
    body = text.partition("=")[2]
    exec("value = " + body)
    subprocess.run(body, shell=True)
    subprocess.run(["ls", body])
    return sympify(body), ast.literal_eval(body)


def cached(path):
    with open(path, "rb") as file:
        return pickle.load(file)


def sampled(tokenizer, ids):
    model = GRPOConfig()
    model.eval()
    return eval("1 + 1")

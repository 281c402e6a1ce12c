"""Where the likeliest of the words that may come next stands among all tokens, in sixty everyday sentences: of a model, of words alone
and of trigrams (Kneser-Ney). 1 is the first place.

    everyday.py TEXTS ATTN MODEL     after ids.mjs; prints JSON: the mean and the median rank, and how often it is among the first ten
"""
import json
import os
import subprocess
import sys

import numpy as np
from baselines import KneserNey, once_each


def rank_of(probabilities, wanted):
    """Of the likeliest of them; equals count as before it."""
    return int((probabilities >= max(probabilities[one] for one in wanted)).sum())


def probabilities_of_model(attn, model, text):
    asked = [attn, "trace", "--model", model, f"text={text.replace(' ', '+')}", "--stage", "probabilities"]
    answer = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    return np.array(answer["stages"][0]["values"][-1])


def main(folder, attn, model):
    sentences = json.load(open(os.path.join(folder, "everyday.json")))
    vocabulary = len(json.load(open(os.path.join(folder, "token-bytes.json"))))
    read = once_each(np.fromfile(os.path.join(folder, "read.ids"), dtype="<i4").astype(np.uint64), vocabulary - 1)
    words = np.bincount(read.astype(int), minlength=vocabulary)
    trigrams = KneserNey(read, vocabulary, 3)
    ranks = {"model": [], "words alone": [], "trigrams": []}
    for sentence in sentences:
        after = trigrams.after([vocabulary - 1, *sentence["ids"]][-2:])
        assert abs(after.sum() - 1) < 1e-9, after.sum()
        ranks["model"].append(rank_of(probabilities_of_model(attn, model, sentence["text"]), sentence["next"]))
        ranks["words alone"].append(rank_of(words, sentence["next"]))
        ranks["trigrams"].append(rank_of(after, sentence["next"]))
    found = {}
    for name, own in ranks.items():
        found[name] = {"mean": float(np.mean(own)), "median": float(np.median(own)), "in_ten": float(np.mean(np.array(own) <= 10))}
    print(json.dumps(found, indent=1))


main(*sys.argv[1:])

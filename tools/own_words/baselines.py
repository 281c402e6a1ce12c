"""What models without attention make of the held-out texts: unigram, bigram, trigram and 5-gram by interpolated Kneser-Ney (Kneser and
Ney 1995; one discount n1 / (n1 + 2 n2) an order), and xz, which gets the bytes.

    baselines.py TEXTS     after ids.mjs; prints JSON: nats a token and bits a byte of the held-out documents

Documents that stand twice in the text to read are counted once: counting them twice makes Kneser-Ney's discounts wrong, and its loss
larger.
"""
import json
import lzma
import math
import os
import sys

import numpy as np

kOrders = 5
kBits = 12  # of a token: five of them fit in 64


def keys_of(ids, order):
    """The key of the n-gram that ends at each place from order - 1 on."""
    keys = np.zeros(len(ids) - order + 1, dtype=np.uint64)
    for k in range(order):
        keys = keys << np.uint64(kBits) | ids[k : len(ids) - order + 1 + k]
    return keys


def once_each(ids, end):
    """The documents, each ended by this token, without those that stood before."""
    documents, seen = np.split(ids, np.flatnonzero(ids == end) + 1), set()
    return np.concatenate([one for one in documents if len(one) and not (one.tobytes() in seen or seen.add(one.tobytes()))])


def counts_of(keys, wanted_keys, counts):
    """The count of each wanted key; 0 where there is none."""
    if len(keys) == 0:
        return np.zeros(len(wanted_keys))
    at = np.minimum(np.searchsorted(keys, wanted_keys), len(keys) - 1)
    return np.where(keys[at] == wanted_keys, counts[at], 0)


class KneserNey:
    def __init__(self, ids, vocabulary, orders):
        self.vocabulary, self.orders, self.tables = vocabulary, orders, []
        for order in range(1, orders + 1):
            if order == orders:
                keys, counts = np.unique(keys_of(ids, order), return_counts=True)
            else:
                # How many different tokens stand before it.
                longer = np.unique(keys_of(ids, order + 1))
                mask = (np.uint64(1) << np.uint64(kBits * order)) - np.uint64(1)
                keys, counts = np.unique(longer & mask, return_counts=True)
            discount = (counts == 1).sum() / ((counts == 1).sum() + 2 * (counts == 2).sum())
            contexts, first = np.unique(keys >> np.uint64(kBits), return_index=True)
            sums = np.add.reduceat(counts, first)
            kinds = np.diff(np.append(first, len(keys)))
            self.tables.append((keys, counts, float(discount), contexts, sums, kinds))

    def probabilities(self, ids):
        """Of each token but the first `orders - 1`, after those before it."""
        size = len(ids) - self.orders + 1
        return self.of_keys([keys_of(ids, order)[-size:] for order in range(1, self.orders + 1)])

    def of_keys(self, keys_by_order):
        p = np.full(len(keys_by_order[0]), 1 / self.vocabulary)
        for wanted, (keys, counts, discount, contexts, sums, kinds) in zip(keys_by_order, self.tables):
            context = wanted >> np.uint64(kBits)
            whole = counts_of(contexts, context, sums)
            own = np.maximum(counts_of(keys, wanted, counts) - discount, 0)
            rest = discount * counts_of(contexts, context, kinds)
            p = np.where(whole > 0, (own + rest * p) / np.maximum(whole, 1), p)
        return p

    def after(self, before):
        """Of every token after these `orders - 1`: they add up to 1."""
        every = np.arange(self.vocabulary, dtype=np.uint64)
        keys = [every]
        for order in range(2, self.orders + 1):
            context = np.uint64(0)
            for one in before[len(before) - order + 1 :]:
                context = context << np.uint64(kBits) | np.uint64(one)
            keys.append(context << np.uint64(kBits) | every)
        return self.of_keys(keys)


def main(folder):
    read, held_out = (np.fromfile(os.path.join(folder, f"{name}.ids"), dtype="<i4").astype(np.uint64) for name in ("read", "held-out"))
    vocabulary = len(json.load(open(os.path.join(folder, "token-bytes.json"))))
    assert vocabulary <= 1 << kBits, vocabulary
    read = once_each(read, vocabulary - 1)
    texts = {name: open(os.path.join(folder, f"{name}.txt"), "rb").read() for name in ("read", "held-out")}
    num_bytes = sum(len(one) for one in texts["held-out"].split(b"\n\f\n"))
    # The first tokens have what a document's end is before them.
    padded = np.concatenate([np.full(kOrders - 1, vocabulary - 1, dtype=np.uint64), held_out])
    found = {"tokens": len(held_out), "bytes": num_bytes}
    for name, orders in (("unigram", 1), ("bigram", 2), ("trigram", 3), ("5-gram", 5)):
        if orders == 1:
            counts = np.bincount(read.astype(int), minlength=vocabulary) + 0.01
            nats = -np.log(counts / counts.sum())[held_out.astype(int)]
        else:
            nats = -np.log(KneserNey(read, vocabulary, orders).probabilities(padded[kOrders - orders :]))
        assert len(nats) == len(held_out)
        found[name] = {"nats": nats.mean(), "bits": nats.sum() / math.log(2) / num_bytes}

    def packed(text):
        return len(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))

    found["xz"] = {"bits": 8 * (packed(texts["read"] + texts["held-out"]) - packed(texts["read"])) / num_bytes}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])

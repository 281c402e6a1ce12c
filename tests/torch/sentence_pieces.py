# SentencePiece itself (Debian's python3-sentencepiece). Arguments: a folder for its files, and texts to learn from. Writes eight
# tokenizers there, of both kinds, with and without bytes and the table of characters; standard input: a text in JSON a line.
# Standard output: for each tokenizer its name, then the numbers of each text.
import json
import sys

import sentencepiece

FOLDER, *TEXTS = sys.argv[1:]


def learn(kind, has_bytes, rule):
    name = f"{kind}-{'bytes' if has_bytes else 'unknown'}-{rule}"
    sentencepiece.SentencePieceTrainer.Train(
        input=",".join(TEXTS),
        model_prefix=f"{FOLDER}/{name}",
        vocab_size=1200,
        model_type=kind,
        byte_fallback=has_bytes,
        normalization_rule_name=rule,
        user_defined_symbols=["<x>", "ZZ"] if has_bytes else [],
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return name


def main():
    texts = [json.loads(line) for line in sys.stdin]
    for kind in ("unigram", "bpe"):
        for has_bytes in (False, True):
            for rule in ("nmt_nfkc", "identity"):
                name = learn(kind, has_bytes, rule)
                reader = sentencepiece.SentencePieceProcessor(model_file=f"{FOLDER}/{name}.model")
                # The tokens and scores as tokenizer.json has them; the table stands in the file as field 2 of field 3.
                pieces = [[reader.id_to_piece(i), reader.get_score(i)] for i in range(reader.get_piece_size())]
                print(json.dumps({"name": name, "pieces": pieces, "ids": reader.encode(texts)}))


main()

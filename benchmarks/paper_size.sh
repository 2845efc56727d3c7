#!/bin/sh
# One slice of training by the recipes of the papers' sizes, for a machine that is lent for minutes at a time.
#
#   sh benchmarks/paper_size.sh RUNS SECONDS TEXT TEST [RECIPE...]
#
# Each recipe is trained for SECONDS, from where the last slice ended; RUNS holds all that the next slice needs, so keep
# it between two machines. After each slice a line of RUNS/RECIPE.jsonl has its updates, words and seconds, and the next
# one the perplexity of TEST. ON-LSTM stands beside an LSTM of the same size, which PyTorch computes with cuDNN.
set -u
runs=$1 seconds=$2 text=$3 test=$4
shift 4
[ $# -gt 0 ] || set -- structformer-ptb udgn-ptb transformer-ptb on-lstm-ptb lstm-ptb
mkdir -p "$runs"
for recipe; do
    model=$runs/$recipe
    if [ -f "$model/last.json" ]; then
        timeout --signal=TERM "$seconds" synparse train "$text" --resume "$model" --save-every 2m --json >>"$runs/$recipe.jsonl"
    elif [ ! -f "$model/config.yaml" ]; then
        timeout --signal=TERM "$seconds" synparse train "$text" --recipe "$recipe" --set grammar.parts=none \
            --save-every 2m --output "$model" --json >>"$runs/$recipe.jsonl"
    fi
    case $? in
    0 | 124 | 143) ;;
    *) echo "$recipe: the slice failed" >&2; continue ;;
    esac
    [ -f "$model/config.yaml" ] || { echo "$recipe: no model yet; it needs more slices" >&2; continue; }
    synparse perplexity "$model" "$test" --json >>"$runs/$recipe.jsonl"
done

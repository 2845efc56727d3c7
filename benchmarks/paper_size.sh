#!/bin/sh
# One slice of training by the recipes of the papers' sizes, for a machine that is lent for minutes at a time.
#
#   sh benchmarks/paper_size.sh RUNS SECONDS TEXT TEST GOLD [RECIPE...]
#
# Each recipe is trained for SECONDS, from where the last slice ended; RUNS holds all that the next slice needs, so keep
# it between two machines. Each slice adds lines to RUNS/RECIPE.jsonl: its updates, words and seconds; the perplexity of
# TEST; and, of models with a parser, UF1 and then UAS and UUAS against GOLD, Penn-style trees, as in the papers' tables:
# without punctuation cues, function words free. ON-LSTM stands beside an LSTM of the same size, which PyTorch computes
# with cuDNN. Five recipes in 45 minutes: SECONDS 480.
set -u
runs=$1 seconds=$2 text=$3 test=$4 gold=$5
shift 5
[ $# -gt 0 ] || set -- structformer-ptb udgn-ptb on-lstm-ptb transformer-ptb lstm-ptb
mkdir -p "$runs"
[ -f "$runs/gold.brackets" ] || synparse convert "$gold" --to brackets --output "$runs/gold.brackets"
[ -f "$runs/gold.conllu" ] || synparse convert "$gold" --to stanford --output "$runs/gold.conllu"

score() {  # the scores of a model on gold.brackets or gold.conllu, in the format of that name
    synparse parse "$runs/gold.$2" --model "$1" --format "$2" --punctuation ignore --function-words free --quiet \
        --output "$1-trees.$2" && synparse eval "$1-trees.$2" "$runs/gold.$2" --json
}

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
    {
        synparse perplexity "$model" "$test" --json
        case $recipe in structformer* | on-lstm*) score "$model" brackets ;; esac
        case $recipe in structformer* | udgn*) score "$model" conllu ;; esac
    } >>"$runs/$recipe.jsonl"
done

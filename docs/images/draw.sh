# Draws the pictures of the pages into the folder it is run in: trees by the shipped model, and a grid of Craft. Part of
# `make docs`.
echo 'The cat sat on the mat .' | synparse parse --format brackets | synparse show --format svg --output tree.svg
echo 'The cat sat on the mat .' | synparse parse | synparse show --format svg --output arcs.svg
parts=$(mktemp -d)
synparse task craft generate DCA --count 1 --size 8 --things 2 --seed 3 --output "$parts/one.tsv" --ends-output "$parts/ends.tsv"
synparse task craft draw "$parts/one.tsv" --ends "$parts/ends.tsv" --format svg --output craft-demonstration.svg
rm -r "$parts"

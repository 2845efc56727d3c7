# Draws the pictures of the pages into the folder it is run in, by the shipped model: part of `make docs`.
echo 'The cat sat on the mat .' | synparse parse --format brackets | synparse show --svg --output tree.svg
echo 'The cat sat on the mat .' | synparse parse | synparse show --svg --output arcs.svg

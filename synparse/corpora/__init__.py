"""The raw side: sentences out of files, words out of sentences, indices out of words, batches. Streams throughout."""

"""Input and output files, folders that are saved whole, work spread over processes, the number of cores."""

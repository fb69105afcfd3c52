"""The data that drives the recognisers: suffixes, patterns with their positives and near-misses, vocabularies."""

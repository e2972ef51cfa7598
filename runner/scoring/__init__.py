"""Every published figure, each computed in one function. Pure: plain values in, plain values out.

urls          the key under which two URLs count as one
ndcg          judged benches: DCG, the duplicate penalty, the score of a query
recall        known-item benches: hit rank, recall@k, MRR@k, misses
ultimate      the best that all engines together could have returned
aggregates    means over queries, runs and benches
latency       percentiles over timed attempts
overlap       URLs that engine pairs share
uniqueness    URLs that no other family returned
intervals     cluster bootstrap and the interval file
significance  paired differences, sign-flip test, corrections for many tests
agreement     how far two judges agree
"""

import { z } from 'zod';
import type { Result } from '../result.ts';

/** How a query word matched a word of an entry. */
const MATCH_KINDS = ['exact', 'equivalent', 'category', 'related', 'spelling'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

const count = z.int().min(0);

/** A query word and its match in one entry. */
const MatchedTerm = z
  .object({
    term: z.string().meta({ description: 'The word of the query, folded and stemmed.' }),
    matched: z.string().meta({ description: 'The matching word of the entry.' }),
    kind: z.enum(MATCH_KINDS),
    count: count.meta({ description: 'How often the entry contains it.' }),
    idf: z.number().meta({ description: 'Inverse document frequency: how rare the word is in this store.' }),
    bm25: z.number().meta({ description: 'Its part of `keyword.bm25`.' }),
  })
  .meta({ id: 'MatchedTerm' });
export type MatchedTerm = Result<typeof MatchedTerm>;

/** Score breakdown of one result. `parts` add up to `rankValue`. */
export const Explanation = z
  .object({
    rankValue: z.number().meta({ description: 'The value that orders the results; comparable only within one search.' }),
    /**
     * Feature name -> its part of `rankValue`: `meaning` (of single words), `equal` (the text equals the query), `phrase` (it contains the
     * whole query), `bm25`, `proximity`, `early`, `negation`, `vector`, `recency`, `importance`, `order` (has the query words in query
     * order), `speaker` (a turn of a conversation by someone the query names), `beside` (next to an answering turn), `correction`.
     */
    parts: z.record(z.string(), z.number()).meta({ description: 'The parts that add up to `rankValue`.' }),
    vector: z.object({ cosine: z.number() }).exactOptional(),
    keyword: z
      .object({
        bm25: z.number(),
        coverage: z.number().min(0).max(1).meta({ description: 'Share of the weight of the query that the entry contains.' }),
        terms: z.array(MatchedTerm).readonly(),
        missing: z.array(z.string()).readonly().meta({ description: 'Words of the query that the entry does not contain in any form.' }),
      })
      .exactOptional(),
    filters: z.array(z.string()).readonly().meta({ description: 'The filters of the search, in words.' }),
  })
  .meta({ id: 'Explanation' });
export type Explanation = Result<typeof Explanation>;

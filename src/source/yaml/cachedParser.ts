// Parsing for a program that reads the same files repeatedly: a file whose text has not changed is not parsed again.
import { type Documents, parseDocuments, type SourceText } from './document.ts';

/** Parses files, and keeps the results between reads. */
export interface CachedParser {
  readonly parse: (source: SourceText) => Documents;
  /** Forgets the files that were not parsed since the last call. */
  readonly forgetUnused: () => void;
}

/** A parser that remembers the files of the last reading. */
export function cachedParser(): CachedParser {
  let earlier = new Map<string, Parsed>();
  let now = new Map<string, Parsed>();
  return {
    parse: source => {
      const name = JSON.stringify([source.file, source.inside, source.layer, source.isGrant]);
      const known = now.get(name) ?? earlier.get(name);
      const found =
        known?.text === source.text
          ? known
          : { text: source.text, documents: parseDocuments(source) };
      now.set(name, found);
      return found.documents;
    },
    forgetUnused: () => {
      earlier = now;
      now = new Map();
    },
  };
}

interface Parsed {
  readonly text: string;
  readonly documents: Documents;
}

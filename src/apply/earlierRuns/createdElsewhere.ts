// An object whose creation the journal of another run shows is the object of that run: one user may have made both runs.
import { createdIn } from '../../model/journal.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Signer } from '../../model/signer.ts';
import { journalIn } from './foundJournal.ts';

/** Tells by an id whether the verified journal of another run than `run` shows that it created the object. */
export type IsCreatedElsewhere = (id: RemoteId, run: string) => boolean;

/** The same by the texts of journals. Only those with the id are parsed. */
export function createdElsewhere(texts: readonly string[], signer: Signer): IsCreatedElsewhere {
  const known = new Map<string, ReturnType<typeof creatorIn>>();
  const creator = (text: string) => {
    const found = known.get(text) ?? creatorIn(text, signer);
    known.set(text, found);
    return found;
  };
  return (id, run) =>
    texts.some(text => {
      if (!text.includes(JSON.stringify(id))) return false;
      const { by, created } = creator(text);
      return by !== undefined && by !== run && created.has(id);
    });
}

function creatorIn(text: string, signer: Signer) {
  const read = journalIn(text, signer);
  return 'chain' in read && read.chain
    ? { by: read.chain.run, created: createdIn(read.entries) }
    : { by: undefined, created: new Set<RemoteId>() };
}

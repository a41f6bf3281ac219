// Readable names for objects that a plan identifies only by their ids, because several objects share a name. A readable name is
// the name, and the address if the object has one.
import type { KindName, RemoteId } from './names.ts';
import { rewritingTexts } from './text/rewrittenTexts.ts';
import { visible } from './text/visible.ts';

/** A live object that is identified by its id. */
export interface LabelledId {
  readonly kind: KindName;
  readonly id: RemoteId;
  readonly name: string;
  /** Its address in the network. */
  readonly address?: string;
}

/** An id in a text, the kind before it if there is one, and the text after it, which may belong to the id. */
const MENTION = /(?:\b(\w+)(?:[./]|\["| "))?\bid:([\w-]+(?:[.:/@][\w-]+)*)/g;

/** Longer names are cut. */
const LONGEST = 60;

/** Returns a function that adds the name after each id of these objects in a text: `peer/id:d1 (laptop, 100.64.0.7)`. */
export function idLabeller(called: readonly LabelledId[]): (text: string) => string {
  if (called.length === 0) return text => text;
  const byId = Map.groupBy(called, ({ id }) => String(id));
  return text =>
    text.includes('id:')
      ? text.replaceAll(MENTION, (...found: [string, string | undefined, string, number]) => {
          const [mention, kind, written, at] = found;
          const id = longestId(written, byId);
          const named = byId.get(id) ?? [];
          // Some servers use the same id for objects of several kinds.
          const one =
            named.find(object => object.kind === kind) ?? (named.length === 1 && named[0]);
          if (!one) return mention;
          const end = mention.length - (written.length - id.length);
          const label = ` (${wordsFor(one)})`;
          if (text.startsWith(label, at + end)) return mention;
          return `${mention.slice(0, end)}${label}${mention.slice(end)}`;
        })
      : text;
}

// A port or a field may follow an id: `id:d1:8080`. An id may contain the same characters.
function longestId(written: string, byId: ReadonlyMap<string, unknown>): string {
  if (byId.has(written)) return written;
  const end = written.search(/[.:/@][\w-]*$/);
  return end < 0 ? written : longestId(written.slice(0, end), byId);
}

function wordsFor({ name, address }: LabelledId): string {
  const cut = name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;
  const shown = visible(cut).replaceAll(
    /[`"()]/g,
    sign => `\\u00${sign.charCodeAt(0).toString(16)}`,
  );
  return address === undefined ? shown : `${shown}, ${address}`;
}

const SPOKEN = /^id:[\w.:/@-]+ \(.*\)$/;

/** Whether a key has a name after its id. Such a key is printable, and no name of an object looks like it. */
export const isLabelledKey = (key: string): boolean => SPOKEN.test(key);

/** Returns a function that adds the name after each id, in every text of a value; see `rewritingTexts`. */
export function withIdLabels(called: readonly LabelledId[]): <T>(value: T) => T {
  return called.length === 0 ? value => value : rewritingTexts(idLabeller(called));
}

// Names whose target changes because of their records in one zone. The plan's note about these
// records says where the names lead.
import { domainText } from '../../kinds/values/domain.ts';
import type { ShownChange } from '../../model/change.ts';
import { segmentsOf } from '../../model/key.ts';
import { textIn } from '../state/stateObject.ts';
import { RECORD, ZONE } from '../state/zones.ts';
import { isBelow } from '../world/replies.ts';

/**
 * Whether the note about the records says everything about a name. This is so if no other zone has
 * changed records of the name, and no zone that answers the name changes in another way.
 */
export function isRedirected(name: string, changes: readonly ShownChange[]): boolean {
  const records = changes.filter(({ kind }) => kind === RECORD);
  const targets = (side: 'before' | 'after') =>
    records.flatMap(change => {
      const fields = change[side];
      return fields && domainText(textIn(fields, 'name')) === domainText(name)
        ? [
            {
              zone: segmentsOf(change.key, 2)?.[0] ?? '',
              target: domainText(textIn(fields, 'content')),
            },
          ]
        : [];
    });
  const was = targets('before');
  const is = targets('after');
  const zones = new Set([...was, ...is].map(({ zone }) => zone));
  const contents = [was, is].map(all => [...new Set(all.map(({ target }) => target))].sort());
  if (zones.size !== 1 || contents.some(all => all.length === 0)) return false;
  if (contents[0]?.join('\n') === contents[1]?.join('\n')) return false;
  return !changes.some(({ kind, before, after }) =>
    [before, after].some(
      fields => kind === ZONE && fields && covers(textIn(fields, 'domain'), name),
    ),
  );
}

const covers = (domain: string, name: string): boolean =>
  domainText(domain) === domainText(name) || isBelow(domainText(name), domainText(domain));

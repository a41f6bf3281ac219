// Access that the model finds out of bounds during an apply, a point at a time, as the slow evaluator puts it down.
import type { JudgedOrder } from '../../../src/access/replay/judgedOrder.ts';
import { indexesIn } from '../../../src/access/sets/bits.ts';
import { PROTOCOLS, SPAN } from '../../../src/access/sets/traffic.ts';
import type { Frame } from '../../../src/access/world/world.ts';
import { memberName, targetName } from '../names.ts';
import type { Account } from '../slow/account.ts';

/** A line for each account on the way, source, target, protocol and port. `ids`: the ids of objects that the plan creates. */
export function pointsOf(
  { episodes, steps }: JudgedOrder,
  frame: Frame,
  ids: (name: string) => string,
  ports: readonly number[],
): string[] {
  const worlds = [frame.first, frame.last];
  const points = PROTOCOLS.flatMap(protocol =>
    (protocol === 'icmp' ? [0] : ports).map(port => ({
      text: `${protocol} ${port}`,
      at: SPAN[protocol].from + port,
    })),
  );
  return (episodes ?? []).flatMap(({ kind, target, row, from, until }) => {
    const to = ids(targetName(target, worlds));
    const begin = steps[from - 1]?.position ?? 0;
    const end = steps[until - 1]?.position ?? 0;
    const places = Array.from({ length: end - begin }, (_, at) => begin + at);
    return row.flatMap(segment => {
      const inside = points.filter(({ at }) => segment.from <= at && at <= segment.to);
      return [...indexesIn(segment.sources)].flatMap(source =>
        inside.flatMap(({ text }) =>
          places.map(
            place => `${kind} ${place} ${ids(memberName(source, worlds))} > ${to} ${text}`,
          ),
        ),
      );
    });
  });
}

/** Names of objects that a plan creates, with the ids that the account after has for them. */
export function idsIn(after: Account): (name: string) => string {
  const ids = new Map(
    [...after.groups, ...after.networks].map(({ id, name }) => [`new ${name}`, id]),
  );
  return name => name.replace(/new (?:group|network)-\d/, made => ids.get(made) ?? made);
}

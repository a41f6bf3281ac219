// Converts access that exceeds its bounds during an apply to its output form: sources, targets, the first and the last action,
// and the number of calls.
import type { AccessStepEntry } from '../../model/access/planAccess.ts';
import { present } from '../../model/errors.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { cellsOf } from '../flows/cells.ts';
import type { Target } from '../flows/targets.ts';
import { type Bits, has, indexesIn, isEmpty, minus, noBits, or } from '../sets/bits.ts';
import { interner } from '../sets/interned.ts';
import type { Traffic } from '../sets/traffic.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { Frame } from '../world/world.ts';
import type { Episode } from './episodes.ts';
import { callsBetween, type JudgedOrder } from './judgedOrder.ts';

interface Found {
  readonly episode: Episode;
  readonly sources: Bits;
  readonly traffic: Traffic;
  readonly targets: [Target, ...Target[]];
}

/** The entries, openings first. */
export function stepEntries(order: JudgedOrder, frame: Frame): readonly AccessStepEntry[] {
  const namers = { first: memberSetNamer(frame.first), last: memberSetNamer(frame.last) };
  const isGone = ({ sources, targets }: Found) => {
    const gone = minus(frame.first.today, frame.last.today);
    const parties = targets.flatMap(one => (one.type === 'machine' ? [one.index] : []));
    return [...indexesIn(sources), ...parties].some(index => has(gone, index));
  };
  return rolledUp(order.episodes ?? [])
    .map(found => entryOf(found, order, isGone(found) ? namers.first : namers.last))
    .sort(byOrder);
}

// Several machines form one entry if access to them is missing or open for the same sources at the
// same time.
function rolledUp(episodes: readonly Episode[]): readonly Found[] {
  const found = new Map<string, Found>();
  const numberOf = interner();
  for (const episode of episodes) {
    const { kind, from, until, target, row } = episode;
    const scope = row.map(({ sources }) => sources).reduce(or, noBits());
    for (const { sources, allowed } of cellsOf([row], scope)) {
      const traffic = allowed[0] ?? [];
      if (isEmpty(sources)) continue;
      const destination = target.type === 'machine' ? 'machines' : target.id;
      const words = trafficWords(traffic).join();
      const name = [kind, from, until, destination, numberOf(sources), words].join(' ');
      const known = found.get(name);
      if (known) known.targets.push(target);
      else found.set(name, { episode, sources, traffic, targets: [target] });
    }
  }
  return [...found.values()];
}

function entryOf(
  { episode: { kind, from, until }, sources, traffic, targets }: Found,
  { actions, steps }: JudgedOrder,
  { party, destination: whole }: ReturnType<typeof memberSetNamer>,
): AccessStepEntry {
  const actionAt = (state: number) => {
    const { position } = present(steps[state - 1], 'the step that leads to a state');
    return { position, id: present(actions[position - 1], 'the action of a step').id };
  };
  const begin = actionAt(from);
  const end = actionAt(until);
  const source = party(sources);
  const destination = whole(targets);
  return {
    code: kind === 'gap' ? 'ACCESS_GAP' : 'ACCESS_OPENING',
    from: source.name,
    to: destination.name,
    ...(destination.address !== undefined && { address: destination.address }),
    ports: trafficWords(traffic),
    machines: source.machines,
    members_to_come: source.members_to_come,
    to_machines: destination.machines,
    from_step: begin.position,
    from_action: begin.id,
    until_step: end.position,
    until_action: end.id,
    calls: callsBetween(actions, steps, from, until),
  };
}

function byOrder(one: AccessStepEntry, other: AccessStepEntry): number {
  if (one.code !== other.code) return one.code === 'ACCESS_OPENING' ? -1 : 1;
  if (one.from_step !== other.from_step) return one.from_step - other.from_step;
  if (one.until_step !== other.until_step) return one.until_step - other.until_step;
  const text = ({ from, to, ports }: AccessStepEntry) => [from, to, ...ports].join('\n');
  return compareTexts(text(one), text(other));
}

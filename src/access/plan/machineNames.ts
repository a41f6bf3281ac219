// The DNS names of machines in the account. The server derives them from the name of the machine and the domain of the account
// (docs/server-behaviour.md).
import type { Fields } from '../../model/value.ts';
import { textIn, textsIn } from '../state/stateObject.ts';
import type { Draft } from './draft.ts';

/**
 * The assumed domains if the account contains none: the default of a self-hosted server, and the
 * domain of the cloud.
 */
const USUAL_DOMAINS = ['netbird.selfhosted', 'netbird.cloud'];

/**
 * The maximum length of a label. DNS allows 63 characters; the server reserves the rest for the
 * last parts of an address.
 */
const LONGEST_LABEL = 55;

/** An update that was just applied. */
interface Update {
  readonly kind: string;
  /** The name of the draft that the update writes. */
  readonly name: string;
  readonly before: Fields;
  readonly after: Fields;
}

/**
 * Gives machines the DNS names that they have after an update. Returns the names of the drafts that
 * it changes.
 */
export function renameMachines(
  drafts: Map<string, Draft>,
  { kind, name, before, after }: Update,
): readonly string[] {
  if (kind === 'peer' && textIn(before, 'name') !== textIn(after, 'name'))
    return withNames(drafts, name, ([own = ''], draft) => [nameBy(drafts, name, draft, own)]);
  const domain = textIn(after, 'dns_domain');
  if (kind !== 'account_settings' || domain === textIn(before, 'dns_domain')) return [];
  const domains = domain === '' ? USUAL_DOMAINS : [domain];
  return machinesAmong(drafts).flatMap(one =>
    withNames(drafts, one, names =>
      names.flatMap(old => domains.map(other => `${labelIn(old)}.${other}`)),
    ),
  );
}

const LABEL = 'dns_label';
const MORE_LABELS = 'extra_dns_labels';

// Only the first DNS name depends on the name of the machine. The machine requested the other names
// when it enrolled.
function withNames(
  drafts: Map<string, Draft>,
  name: string,
  renamed: (names: readonly string[], draft: Draft) => readonly string[],
): readonly string[] {
  const draft = drafts.get(name);
  const names = draft === undefined ? [] : namesOf(draft);
  if (draft === undefined || names.length === 0) return [];
  const { object } = draft;
  const [own = '', ...others] = renamed(names, draft);
  const kept = others.length > 0 ? others : names.slice(1);
  const serverFields = { ...object.serverFields, [LABEL]: own, [MORE_LABELS]: kept };
  drafts.set(name, { ...draft, object: { ...object, serverFields } });
  return [name];
}

function namesOf({ object: { serverFields = {} } }: Draft): readonly string[] {
  const own = textIn(serverFields, LABEL);
  return own.includes('.') ? [own, ...textsIn(serverFields, MORE_LABELS)] : [];
}

const machinesAmong = (drafts: ReadonlyMap<string, Draft>): readonly string[] =>
  [...drafts].flatMap(([name, { object }]) => (object.kind === 'peer' ? name : []));

const labelIn = (name: string): string => name.split('.')[0] ?? '';

// If another machine has this label, the server appends the last two parts of the address.
function nameBy(
  drafts: ReadonlyMap<string, Draft>,
  name: string,
  { object: { fields } }: Draft,
  old: string,
): string {
  const label = labelBy(textIn(fields, 'name'));
  const isTaken = machinesAmong(drafts).some(other => {
    const draft = other === name ? undefined : drafts.get(other);
    return draft !== undefined && labelIn(namesOf(draft)[0] ?? '') === label;
  });
  const end = label === '' || isTaken ? textIn(fields, 'ip').split('.').slice(-2) : [];
  const own = [label, ...end].filter(part => part !== '').join('-');
  return `${own}${old.slice(labelIn(old).length)}`;
}

function labelBy(name: string): string {
  return labelIn(name.toLowerCase())
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_LABEL);
}

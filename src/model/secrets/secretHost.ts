// Web addresses that come as a whole from a source of secrets. Not even their hosts are shown.
import { keyOf } from '../key.ts';
import type { Key } from '../names.ts';
import type { Desired, HiddenSources } from '../object.ts';
import { type HostedSecret, type Mark, markOfText } from './hostedSecret.ts';
import type { ShownText } from './shown.ts';

/** The text that a document contains instead of a secret host. */
export const SECRET_HOST = '' as ShownText;

/** Whether the host of a declared address is secret. */
export const hasSecretHost = ({ hidden }: Pick<Desired, 'hidden'>): boolean =>
  (hidden?.places.size ?? 0) > 0;

/**
 * Whether the host of an address in a base is secret. Bases from earlier versions contain the host even if the whole address is
 * secret.
 */
export const isHostSecret = ({ $host, $secret }: HostedSecret): boolean =>
  $host === SECRET_HOST || $secret !== '';

/** The addresses of declared objects whose hosts are secret. */
export function secretHostsOf(objects: readonly Desired[]): ReadonlySet<string> {
  return new Set(objects.flatMap(({ hidden }) => (hidden ? secretAddresses(hidden) : [])));
}

/** The addresses of declared objects whose hosts are written in a file. */
export function writtenHostsOf(objects: readonly Desired[]): ReadonlySet<string> {
  return new Set(
    objects.flatMap(({ hidden }) =>
      [...(hidden?.sources ?? [])].flatMap(([value, source]) =>
        hidden?.places.has(source) ? [] : [value],
      ),
    ),
  );
}

const secretAddresses = ({ sources, places }: HiddenSources): string[] =>
  [...sources].flatMap(([value, source]) => (places.has(source) ? [value] : []));

/**
 * The declared objects, with a keyed digest in each key that is the place of a secret address: `network.yaml#2@1f2e3d4c`. Another
 * address therefore has another name. The digest also depends on the written text, so that guesses at other places reveal
 * nothing.
 */
export function calledByDigest(
  objects: readonly Desired[],
  mark: Mark | undefined,
): readonly Desired[] {
  return mark === undefined ? objects : objects.map(object => withDigest(object, mark));
}

function withDigest(object: Desired, mark: Mark): Desired {
  const { key, parent, hidden } = object;
  const [address] = hidden ? secretAddresses(hidden) : [];
  const [place] = hidden?.places.values() ?? [];
  if (address === undefined || place === undefined || key !== within(parent, place)) return object;
  const text = hidden?.written.get(address);
  const digest = markOfText(mark, text)(address).split(':').at(-1)?.slice(0, 8);
  return { ...object, key: within(parent, `${place}@${digest}`) };
}

const within = (parent: Key | undefined, name: string): Key =>
  keyOf(parent === undefined ? [name] : [parent, name]);

// The selector that a person probably meant.
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';

/**
 * The hint for a selector that matches nothing; undefined if no name is similar. If a network
 * resource is written without its network, the hint is the resource with that name, even if other
 * names differ in fewer letters.
 */
export function didYouMeanSelector(written: string, names: readonly string[]): string | undefined {
  const [type = '', ...rest] = written.split('/');
  const [name] = rest;
  const inside = names.filter(
    one => rest.length === 1 && one.startsWith(`${type}/`) && one.endsWith(`/${name}`),
  );
  const [first, ...others] = inside.filter(one => one.split('/').length > 2);
  if (first === undefined) return didYouMean(written, names);
  return `did you mean ${[first, ...others].slice(0, 3).map(quoted).join(' or ')}?`;
}

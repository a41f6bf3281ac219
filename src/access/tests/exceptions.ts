// The exceptions of a test: routes and network resources that, according to the test, do not lead
// to its addresses, whatever their ranges. Each name must denote a single object, so that nobody
// can add another path under an excepted name.
import type { WrittenSelector } from '../../model/access/accessTest.ts';
import { quoted } from '../../model/text/visible.ts';
import { checkedSelector } from '../ask/selector.ts';
import type { Target } from '../flows/targets.ts';
import type { Resource, Route } from '../state/accessState.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';

export interface Exceptions {
  /** Whether all objects that serve a target are exceptions. */
  readonly isLeftOut: (target: Target) => boolean;
  /** Why it is unknown which objects are exceptions. */
  readonly fault?: string;
}

/** The exceptions of a test in a state, from the selectors of the test. */
export function exceptionsIn(world: World, except: readonly WrittenSelector[]): Exceptions {
  const { networks, routes } = world.state;
  const resources = networks.flatMap(one => one.resources);
  const left = new Set<Route | Resource>();
  const faults: string[] = [];
  for (const { text } of except) {
    const { type, name } = checkedSelector(text);
    const isNamed = (one: Route | Resource) => namesOf(one).includes(name);
    if (type !== 'route') for (const one of resources.filter(isNamed)) left.add(one);
    else {
      const own = routes.filter(isNamed);
      const meant = own.length > 0 ? own : routes.filter(one => one.networkId === name);
      const enabled = meant.filter(({ isEnabled }) => isEnabled);
      if (enabled.length > 1) faults.push(severalText(text, enabled));
      for (const one of meant) left.add(one);
    }
  }
  const isLeftOut = (target: Target) =>
    target.type !== 'machine' &&
    target.routes.every(route => !route.isEnabled || left.has(route)) &&
    target.resources.every(({ resource }) => !resource.isEnabled || left.has(resource));
  return faults.length === 0 ? { isLeftOut } : { isLeftOut, fault: faults.join('; ') };
}

function severalText(text: string, routes: readonly Route[]): string {
  const names = routes.map(({ key }) => quoted(`route/${key}`)).join(', ');
  return `${quoted(text)} in \`except\` stands for ${routes.length} routes; write those that do not lead there: ${names}`;
}

// The section of a page that draws networks and routes with the machines that serve them.
import type { AccessPicture, NetworkPicture } from '../../model/access/accessPicture.ts';
import { networkGraph } from '../graph/accessGraph.ts';
import { element, type Markup } from '../graph/markup.ts';
import { svgElement } from '../graph/svg.ts';
import { counted } from '../text/summary.ts';
import { inCode } from './code.ts';
import { atOnce, type InSteps } from './inSteps.ts';
import type { Naming } from './naming.ts';
import type { Section } from './section.ts';
import { names, table } from './table.ts';

/** The section of the networks, drawn in steps of one drawing each. */
export function* networksInSteps({ networks }: AccessPicture, naming: Naming): InSteps<Section> {
  const nothing = element('p', {}, 'There is no network and no route.');
  const figures: Markup[] = [];
  for (const network of networks) {
    figures.push(figureOf(network, naming));
    yield;
  }
  return {
    id: 'routing',
    title: 'Networks and their routers',
    label: 'Networks',
    content: networks.length === 0 ? nothing : figures,
  };
}

/** The section of the networks. */
export const networksSection = (picture: AccessPicture, naming: Naming): Section =>
  atOnce(networksInSteps(picture, naming));

function figureOf(network: NetworkPicture, { readable, signs }: Naming): Markup {
  const { name: title, routers, resources } = network;
  const counts = `${counted(resources.length, 'destination')}, ${counted(routers.length, 'router')}`;
  return element(
    'figure',
    {},
    element('figcaption', {}, inCode(title), `: ${counts}`, warning(network)),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Drawing of ${title}` },
      svgElement(networkGraph(readable(network)), { title, signs }),
    ),
    element('details', {}, element('summary', {}, 'As tables'), ...tables(network, title)),
  );
}

function warning({ routers }: NetworkPicture): Markup | undefined {
  if (routers.some(({ isEnabled }) => isEnabled)) return undefined;
  return element('p', { class: 'warning' }, 'No router is enabled: no machine reaches it.');
}

function tables({ routers, resources }: NetworkPicture, title: string): readonly Markup[] {
  const state = (isEnabled: boolean) => (isEnabled ? 'enabled' : 'disabled');
  return [
    table(
      `Routers of ${title}`,
      ['Router', 'State', 'Approved machines'],
      routers.map(({ name, isEnabled, machines }) => ({
        cells: [inCode(name), state(isEnabled), String(machines)],
      })),
    ),
    table(
      `Destinations of ${title}`,
      ['Destination', 'Address', 'State', 'In groups, or access-control groups', 'Received by'],
      resources.map(({ name, address, isEnabled, groups, receivers }) => ({
        cells: [
          inCode(name),
          inCode(address),
          state(isEnabled),
          names(groups),
          receivers === undefined
            ? 'sources of its policies'
            : names(receivers.map(one => one.name)),
        ],
      })),
    ),
  ];
}

// Ports that are open to sources other than machines: the ports of ingress peers, and the services of the reverse proxy.
import { accessName } from '../../model/access/accessName.ts';
import type { OpeningPicture, RuleSide } from '../../model/access/accessPicture.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { InternetPort } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** Every opening of a state, sorted, because servers return openings in any order. */
export function openingPictures(world: World): readonly OpeningPicture[] {
  const openings = world.internetRules
    .flatMap(({ rules }) => rules)
    .flatMap(({ internetPort: port, traffic }): readonly OpeningPicture[] =>
      port === undefined
        ? []
        : [
            {
              isService: port.service !== undefined,
              name: port.service ?? port.key,
              from: port.to.name,
              to: sideOf(port),
              ports: trafficWords(traffic),
            },
          ],
    );
  return openings.sort((one, other) => compareTexts(textOf(one), textOf(other)));
}

const sideOf = ({ machine, resource }: InternetPort): RuleSide =>
  resource === undefined
    ? { type: 'machine', name: accessName('peer', machine), machines: 1 }
    : { type: 'resource', name: accessName('network_resource', resource), machines: 0 };

const textOf = ({ isService, name, from, to }: OpeningPicture): string =>
  `${isService}\n${name}\n${from}\n${to.name}`;

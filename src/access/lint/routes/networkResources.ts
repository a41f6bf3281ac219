// SOURCE_IS_RESOURCE and UNROUTED: network resources in places where they have no effect.
import { quoted } from '../../../model/text/visible.ts';
import type { Network } from '../../state/accessState.ts';
import type { Lint } from '../lint.ts';
import { ruleAt, ruleName } from '../ruleNames.ts';

/** Finds the enabled rules whose source is a network resource. */
export const resourcesAsSources: Lint = ({ rules }) =>
  rules
    .filter(({ compiled }) => compiled.isActive)
    .flatMap(linted => {
      const { source } = linted.rule;
      if (source.type !== 'resource') return [];
      return {
        ...ruleAt(linted, 'sourceResource'),
        message: `${ruleName(linted)} has the network resource ${quoted(source.resource)} as its source, and a source that is not a peer or a group matches nobody`,
        hint: 'write the groups or the peer that open the connections; an address behind a routing peer cannot',
      };
    });

/** Finds the enabled network resources whose network has no enabled router in the files. */
export const unroutedResources: Lint = ({ state, declared }) =>
  state.networks
    .filter(network => !isRouted(network))
    .flatMap(network =>
      network.resources
        .filter(({ isEnabled }) => isEnabled)
        .flatMap(({ key }) => {
          const object = declared('network_resource', key);
          if (!object) return [];
          return {
            object,
            path: [],
            message: `network resource ${quoted(key)} is unreachable: the files declare no enabled router for network ${quoted(network.key)}`,
            hint: 'declare or enable a router under `routers` of the network, or write `enabled: false` at the network resource',
          };
        }),
    );

const isRouted = ({ routers }: Network): boolean =>
  routers.some(
    ({ isEnabled, servers }) =>
      isEnabled && (servers.machine !== undefined || servers.groups.length > 0),
  );

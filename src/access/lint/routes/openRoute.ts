// ROUTE_OPEN_TO_ALL: the routing peer of a route without access-control groups accepts everything.
import { quoted } from '../../../model/text/visible.ts';
import { firstNames } from '../../gates/firstNames.ts';
import type { Lint } from '../lint.ts';

/** Finds the enabled routes without access-control groups. */
export const openRoutes: Lint = ({ state, declared }) =>
  state.routes
    .filter(({ isEnabled, accessControl }) => isEnabled && accessControl.length === 0)
    .filter(({ distribution }) => distribution.length > 0)
    .flatMap(({ key, networkId, addresses, distribution }) => {
      const object = declared('route', key);
      if (!object) return [];
      return {
        object,
        path: ['access_control_groups'],
        message:
          `route ${quoted(networkId)} has no access-control groups: members of ${firstNames(distribution)} with any rule ` +
          `between them and its routing peer, declared or not, reach all of ${firstNames(addresses)} on every port`,
        hint: 'list groups under `access_control_groups`, and open ports with rules that have these groups as `destinations`',
      };
    });

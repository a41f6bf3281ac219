// The table of all lints. A new one is a code in `model/codes.ts` and an entry here.
import type { LintCode } from '../../model/codes.ts';
import { alikeNames } from './alikeNames.ts';
import { duplicateRules, shadowedRules } from './coveredRules.ts';
import { droppedEdges } from './droppedEdge.ts';
import { leakingRules } from './leakingRule.ts';
import type { Lint } from './lint.ts';
import { unmatchedRules } from './matchesNobody.ts';
import { rangesForOldAgents } from './oldAgents.ts';
import { openRoutes } from './openRoute.ts';
import { danglingPosture, skippedPosture } from './posture.ts';
import { redundantRanges } from './redundantRanges.ts';
import { resourcesAsSources, unroutedResources } from './resources.ts';
import { sshOnAllPorts, sshToResources } from './ssh.ts';
import { unusedGroups } from './unusedGroups.ts';

/** By code, how a lint finds its places. */
export const LINTS: Readonly<Record<LintCode, Lint>> = {
  ROUTE_OPEN_TO_ALL: openRoutes,
  RULE_LEAKS: leakingRules,
  POSTURE_SKIPPED: skippedPosture,
  POSTURE_DANGLING: danglingPosture,
  DROP_OPENS_ROUTE: droppedEdges,
  SSH_ALL_TCP: sshOnAllPorts,
  SSH_TO_RESOURCE: sshToResources,
  SOURCE_IS_RESOURCE: resourcesAsSources,
  UNROUTED: unroutedResources,
  RANGE_OLD_AGENT: rangesForOldAgents,
  RULE_SHADOWED: shadowedRules,
  RULE_DUPLICATE: duplicateRules,
  RULE_MATCHES_NOBODY: unmatchedRules,
  GROUP_UNUSED: unusedGroups,
  RANGE_REDUNDANT: redundantRanges,
  NAMES_ALIKE: alikeNames,
};

// The table of all lints. To add a lint, add a code to `model/codes.ts` and an entry here.
import type { LintCode } from '../../model/codes.ts';
import type { Lint } from './lint.ts';
import { alikeNames } from './names/alikeNames.ts';
import { redundantRanges } from './names/redundantRanges.ts';
import { unusedGroups } from './names/unusedGroups.ts';
import { droppedEdges } from './routes/droppedEdge.ts';
import { leakingRules } from './routes/leakingRule.ts';
import { resourcesAsSources, unroutedResources } from './routes/networkResources.ts';
import { openRoutes } from './routes/openRoute.ts';
import { duplicateRules, shadowedRules } from './rules/coveredRules.ts';
import { unmatchedRules } from './rules/matchesNobody.ts';
import { rangesForOldAgents } from './rules/oldAgents.ts';
import { danglingPosture, skippedPosture } from './rules/posture.ts';
import { sshOnAllPorts, sshToResources } from './rules/ssh.ts';

/** The lint of each code. */
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

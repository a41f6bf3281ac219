// The plans of a fleet as a JSON document; `schemas/fleet-plan.schema.json` describes it.
import { jsonText } from '../../model/text/jsonText.ts';
import type { JsonObject } from '../../model/value.ts';
import { countChanges } from '../text/summary.ts';
import {
  costOfFleet,
  type FleetPlanReport,
  groupsIn,
  namesOfGroup,
  rateOfFleet,
} from './fleetPlan.ts';
import type { PlanGroup } from './planGroups.ts';

const FORMAT_VERSION = '1.0';

/** The document as text. */
export function fleetPlanJson(report: FleetPlanReport): string {
  const { planned, unplanned, digest } = report;
  const rate = rateOfFleet(report);
  const groups = groupsIn(report);
  const accountsOf = (is: PlanGroup['is']): number =>
    groups.filter(group => group.is === is).reduce((sum, one) => sum + one.accounts.length, 0);
  return jsonText({
    format_version: FORMAT_VERSION,
    ...(digest !== undefined && { digest }),
    summary: {
      accounts: planned.length + unplanned.length,
      planned: planned.length,
      unplanned: unplanned.length,
      groups: groups.length,
      odd: accountsOf('odd'),
      unchanged: accountsOf('unchanged'),
      ...costOfFleet(report),
      ...(rate !== undefined && { rate }),
    },
    groups: groups.map(group => ({
      group: group.group,
      is: group.is,
      accounts: namesOfGroup(group),
      plan: group.first.saved.document,
    })),
    accounts: groups.flatMap(accountsOfGroup),
    unplanned: unplanned.map(({ account, code, text }) => ({
      account: account.name,
      code,
      messages: text,
    })),
  });
}

const accountsOfGroup = ({ group, members }: PlanGroup): readonly JsonObject[] =>
  members.map(({ account: { name, tenant, labels }, saved }) => ({
    name,
    ...(tenant !== undefined && { tenant }),
    labels,
    group,
    digest: saved.digest,
    content_digest: saved.contentDigest,
    changes: { ...countChanges(saved.plan.changes) },
    requests: saved.plan.requests.planned,
  }));

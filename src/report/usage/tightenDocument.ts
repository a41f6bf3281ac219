// The findings of `tighten` as a JSON document; `schemas/tightening.schema.json` describes it.
import { spanText } from '../../model/diagnostic.ts';
import { timeText } from '../../model/ending.ts';
import type {
  ContradictedPolicy,
  LostFlow,
  LostFlows,
  NarrowedObject,
  TightenFinding,
  Tightening,
} from '../../model/tightening.ts';
import type { JsonObject } from '../../model/value.ts';

/** A finding that is not written into the files, and the reason. */
export interface Unwritten {
  readonly at: string;
  readonly because: string;
}

/** The document with all findings. `written` are the files that were changed. */
export function tightenDocument(
  { log, objects, kept, contradictions = [] }: Tightening,
  {
    files,
    unwritten,
  }: { readonly files: readonly string[]; readonly unwritten: readonly Unwritten[] },
): JsonObject {
  return {
    format_version: '1.1',
    ...(log && { observed: observedOf(log) }),
    findings: objects.flatMap(({ object, use, findings }) =>
      findings.map(finding => ({
        ...findingOf(finding, object),
        ...(use && {
          use: {
            days: use.days,
            of_days: use.ofDays,
            machines_reporting: use.reporting,
            of_machines: use.ofMachines,
          },
        }),
      })),
    ),
    kept: kept.map(({ finding, by, reason }) => ({
      ...findingOf(finding, finding.object),
      kept_by: by,
      kept_because: reason,
    })),
    ...(contradictions.length > 0 && { contradictions: contradictions.map(contradictionOf) }),
    written: files,
    unwritten: unwritten.map(({ at, because }) => ({ at, because })),
  };
}

const observedOf = ({ from, to, days, flows, gaps }: NonNullable<Tightening['log']>) => ({
  from: timeText(from),
  to: timeText(to),
  days,
  flows,
  gaps: gaps.map(gap => ({ from: timeText(gap.from), to: timeText(gap.to), reason: gap.reason })),
});

function findingOf(
  { type, at, what, observed, edit, state, reason, lost }: TightenFinding,
  { kind, key, rule }: NarrowedObject,
): JsonObject {
  return {
    type,
    kind,
    name: key,
    ...(rule !== undefined && { rule }),
    at: spanText(at),
    what,
    observed,
    edit,
    state,
    ...(reason !== undefined && { reason }),
    ...(lost && { lost: lostOf(lost) }),
  };
}

const lostOf = ({ flows, of, machines, examples }: LostFlows): JsonObject => ({
  flows,
  of,
  machines,
  examples: examples.map(exampleOf),
});

const exampleOf = ({ source, destination, protocol, last }: LostFlow): JsonObject => ({
  source,
  destination,
  protocol,
  last: timeText(last),
});

const contradictionOf = ({
  policy,
  object,
  flows,
  admitted,
  examples,
}: ContradictedPolicy): JsonObject => ({
  policy,
  ...(object && { at: spanText(object.at) }),
  flows,
  admitted_by: [...admitted],
  examples: examples.map(exampleOf),
});

// The wording for numbers of observed traffic.

/** `in these 45 days`, or `on this day`. */
export const inTheseDays = (days: number): string =>
  days <= 1 ? 'on this day' : `in these ${days} days`;

/** `41 of 45 days`. */
export const daysOfText = (days: number, of: number): string =>
  `${days} of ${of} ${of === 1 ? 'day' : 'days'}`;

/** `12,408 flows`. */
export const flowsText = (flows: number): string =>
  `${numberText(flows)} ${flows === 1 ? 'flow' : 'flows'}`;

/** `41 flows of 3 machines`. */
export const flowsOfText = (flows: number, machines: number): string =>
  `${flowsText(flows)} of ${numberText(machines)} ${machines === 1 ? 'machine' : 'machines'}`;

/** `12,408`. */
export const numberText = (value: number): string => value.toLocaleString('en-US');

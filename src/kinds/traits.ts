// The closed lists from which schema words choose, and the dialects of the API.

/**
 * Rules by which texts that are written differently but mean the same become equal. Both sides of a comparison are normalised.
 */
export const NORMALISERS = {
  cidr: 'A prefix in its shortest form; host bits stay.',
  'cidr-masked': 'A prefix in its shortest form, without host bits.',
  domain: 'A domain in lower case and ASCII.',
  duration: 'A duration in hours, minutes and seconds, such as `1m30s`; nothing for zero.',
  ip: 'An address in its shortest form.',
  'lower-case': 'Lower case.',
  port: 'A number without leading zeros.',
  'resource-address': 'A prefix, a bare address as a prefix of full length, or a domain.',
} as const;
export type NormaliserName = keyof typeof NORMALISERS;

/** Fields that the server returns in another form; each transform is a file in `wire/transforms`. */
export const TRANSFORMS = {
  'absent-is-empty': 'left out if it is empty',
  'chosen-port': 'also shown if the server chose it, or if there is none',
  'lifetime-in-days': 'read back as the days between two times',
  'lifetime-in-seconds': 'read back as the seconds between two times, 0 without an end',
  'limit-of-reusable': 'also shown for a one-off key, where it has no meaning',
  'mapped-direct-port': 'read back as the mappings that the server created',
  'mapped-port-ranges': 'read back as the mappings that the server made of them',
  'placeholder-network': 'a placeholder shown by the server is not compared',
  'written-host': 'also shown if the server looked it up',
} as const;
export type TransformName = keyof typeof TRANSFORMS;

/** Rules between fields that JSON Schema cannot express; each is implemented in `kinds/schema/fieldRules.ts`. */
export const CHECKS = { 'range-order': 'The start of a range is not after its end.' } as const;
export type CheckName = keyof typeof CHECKS;

export const DIALECTS = ['spec', 'netbird'] as const;
/** The variant of the API that a server implements (docs/server.md#which-servers). */
export type Dialect = (typeof DIALECTS)[number];

export const DIALECT_CHOICES = ['auto', ...DIALECTS] as const;
/** The dialect that a person chooses; with `auto`, meshform detects it. */
export type DialectChoice = (typeof DIALECT_CHOICES)[number];

/**
 * Whether servers of a dialect ignore unknown fields. If they do, an update can send back fields that the schemas do not contain.
 * A server that knows such a field keeps its value; other servers ignore the field.
 */
export const IGNORES_UNKNOWN: Readonly<Record<Dialect, boolean>> = { spec: false, netbird: true };

/** The operations on objects of a kind that files can cause. */
export const VERBS = {
  create: 'Objects can be created.',
  update: 'Objects can be changed.',
  delete: 'Objects can be deleted.',
} as const;
export type Verb = keyof typeof VERBS;

// The closed lists that schema words choose from, and the dialects of the API.

/** Ways in which equal meanings are written differently; both sides of a comparison pass through them. */
export const NORMALISERS = {
  cidr: 'A prefix in its shortest form; host bits stay.',
  'cidr-masked': 'A prefix in its shortest form, without host bits.',
  domain: 'A domain in lower case and ASCII.',
  ip: 'An address in its shortest form.',
  'lower-case': 'Lower case.',
  port: 'A number without leading zeros.',
  'resource-address': 'A prefix, a bare address as a prefix of full length, or a domain.',
  'upper-case': 'Upper case.',
} as const;
export type NormaliserName = keyof typeof NORMALISERS;

/** Fields that the server reads back in another form than they were written, one file each in `wire/transforms`. */
export const TRANSFORMS = {
  'lifetime-in-days': 'read back as the days between two times',
  'limit-of-reusable': 'shown of a one-off key too, where it means nothing',
  'mapped-direct-port': 'read back as the mappings that the server made of it',
  'mapped-port-ranges': 'read back as the mappings that the server made of them',
  'placeholder-network': 'a placeholder that the server shows is not compared',
} as const;
export type TransformName = keyof typeof TRANSFORMS;

/** Rules between fields that JSON Schema cannot say, one each in `kinds/schema/checks.ts`. */
export const CHECKS = { 'range-order': 'The start of a range is not after its end.' } as const;
export type CheckName = keyof typeof CHECKS;

export const DIALECTS = ['spec', 'netbird'] as const;
/** The variant of the API that a server implements (docs/server.md#which-servers). */
export type Dialect = (typeof DIALECTS)[number];

export const DIALECT_CHOICES = ['auto', ...DIALECTS] as const;
/** What a person can choose: a dialect, or `auto` to find it out from what the server answers. */
export type DialectChoice = (typeof DIALECT_CHOICES)[number];

/**
 * Whether servers of a dialect ignore what they do not know in a body. There an update can send back fields that the
 * schemas do not have: they are kept by a server that knows them, and do nothing on one that does not.
 */
export const IGNORES_UNKNOWN: Readonly<Record<Dialect, boolean>> = { spec: false, netbird: true };

/** What files can have meshform do with objects of a kind. */
export const VERBS = {
  create: 'Objects can be created.',
  update: 'Objects can be changed.',
  delete: 'Objects can be deleted.',
} as const;
export type Verb = keyof typeof VERBS;

// The differences between the two dialects. `spec` is the API as its specification describes it; where the specification leaves
// something open, `spec` behaves like the public server (docs/server-behaviour.md). `netbird` is the public server, including its
// faults.
import type { Dialect } from '../contract/dialects.ts';

export type { Dialect };

/** The switches that handlers check instead of the dialect itself, so that each difference has a name. */
export interface Behaviour {
  /** Whether missing fields and violated limits are refused, or accepted, with missing fields read as zero. */
  readonly requests: 'checked against the contract' | 'accepted as sent';
  /** The response for an empty list that was never set. */
  readonly emptyLists: '[]' | 'null';
  /** Whether a policy keeps all its rules, or only one, which has the id of the policy. */
  readonly rules: 'many' | 'one';
  /** Whether a router can be created disabled. */
  readonly newRouters: 'as asked' | 'always enabled';
  /** Whether a group inside another record has all the fields of a summary. */
  readonly summaries: 'whole' | 'in part';
  /** The response to an invalid address and to a path through the wrong network. */
  readonly mistakes: 'refused' | 'internal errors';
  /** The effect of writing a resource through another network. */
  readonly strayResources: 'refused' | 'moved';
  /** The effect of writing a posture check without `checks`. */
  readonly missingChecks: 'no checks' | 'a dropped connection';
  /** The effect of a `null` body on operations for which the server does not expect it. */
  readonly nullBodies: 'no fields' | 'a dropped connection';
  /** The result of listing groups by name. */
  readonly groupsByName: 'all of them' | 'one or 404';
  /** The event codes that a notification channel accepts. */
  readonly notificationCodes: 'audit' | 'own';
  /** The names of the flags for post-quantum key exchange. */
  readonly keyExchangeFlags: 'pqkex' | 'rosenpass';
  /** Whether paths exist that the specification lacks: account, DNS, reverse proxy, account-wide lists. */
  readonly furtherPaths: boolean;
  /** Whether paths contain the vendor names of integrations. */
  readonly paths: 'as specified' | 'by vendor';
  /** The type of the ids of setup keys and audit events. */
  readonly numberedIds: 'integers' | 'texts';
  /** How the response to the creation of a token contains the text of the token. */
  readonly plainTokens: 'in an object' | 'as a text';
  /** The time at which ephemeral peers are deleted. */
  readonly ephemeralPeers: 'deleted when they disconnect' | 'deleted some minutes later';
  /** The response to a malformed token of an invite. */
  readonly strangeInviteTokens: 'unknown' | 'a login';
  /** The shortest lifetime of an invite. */
  readonly inviteLifetimes: 'any' | 'at least an hour';
  /** Whether the issuers of some types of identity provider read as empty. */
  readonly issuers: 'shown' | 'hidden where known';
  /** The response to deleting the integration with endpoint-detection provider D. */
  readonly edrDeletions: 'alike' | '202 for provider D';
  /** The response to a method that a path does not have. */
  readonly wrongMethods: '405' | 'as for an unknown path';
  /** The effect of `?account=` with an id that is not a tenant of the caller. */
  readonly strangeTenants: 'refused' | 'ignored';
  /** The operation that applies if both a literal and a placeholder match the path. */
  readonly literalPaths: 'the literal' | 'the path with the method';
  /** Whether the right to write is checked before the body or after it. */
  readonly denials: 'before the body' | 'after the body';
  /** The accepted notations of whole numbers in a body. */
  readonly integers: 'in any form' | 'in digits alone';
  /** The users for whom the response includes permissions, and the modules of these permissions. */
  readonly permissions: 'of every user' | 'of the caller';
  /** Who chooses the ids of people who sign in at the embedded identity provider. */
  readonly people: 'the account' | 'the provider';
  /** Whether peers have an IPv6 address. */
  readonly ipv6: 'none' | 'one each';
  /** Whether a new account shows its creation through the first token of its owner, and two events. */
  readonly beginnings: 'hidden' | 'shown';
  /** What the summary of a group counts: existing peers, or the ids in the group. */
  readonly memberCounts: 'peers' | 'ids';
  /** The response for a reference to a resource that has neither id nor type. */
  readonly emptyPointers: 'as it is' | 'not at all';
  /** The groups that the peer of a temporary access joins. */
  readonly temporaryPeers: 'no group' | 'the group All';
  /** The form of network traffic events: one for each flow, or sums over a time window from machines with a newer agent. */
  readonly trafficEvents: 'one event for each flow' | 'sums from newer machines';
  /** The peers in the list of accessible peers. */
  readonly accessiblePeers: 'the peers it reaches' | 'the peers in its network map';
}

/** The behaviour of each dialect. */
export const BEHAVIOUR: Readonly<Record<Dialect, Behaviour>> = {
  spec: {
    requests: 'checked against the contract',
    emptyLists: '[]',
    rules: 'many',
    newRouters: 'as asked',
    summaries: 'whole',
    mistakes: 'refused',
    strayResources: 'refused',
    missingChecks: 'no checks',
    nullBodies: 'no fields',
    groupsByName: 'all of them',
    notificationCodes: 'audit',
    keyExchangeFlags: 'pqkex',
    furtherPaths: false,
    paths: 'as specified',
    numberedIds: 'integers',
    plainTokens: 'in an object',
    ephemeralPeers: 'deleted when they disconnect',
    strangeInviteTokens: 'unknown',
    inviteLifetimes: 'any',
    issuers: 'shown',
    edrDeletions: 'alike',
    wrongMethods: '405',
    strangeTenants: 'refused',
    literalPaths: 'the literal',
    denials: 'before the body',
    integers: 'in any form',
    permissions: 'of every user',
    people: 'the account',
    ipv6: 'none',
    beginnings: 'hidden',
    memberCounts: 'peers',
    emptyPointers: 'as it is',
    temporaryPeers: 'no group',
    trafficEvents: 'one event for each flow',
    accessiblePeers: 'the peers it reaches',
  },
  netbird: {
    requests: 'accepted as sent',
    emptyLists: 'null',
    rules: 'one',
    newRouters: 'always enabled',
    summaries: 'in part',
    mistakes: 'internal errors',
    strayResources: 'moved',
    missingChecks: 'a dropped connection',
    nullBodies: 'a dropped connection',
    groupsByName: 'one or 404',
    notificationCodes: 'own',
    keyExchangeFlags: 'rosenpass',
    furtherPaths: true,
    paths: 'by vendor',
    numberedIds: 'texts',
    plainTokens: 'as a text',
    ephemeralPeers: 'deleted some minutes later',
    strangeInviteTokens: 'a login',
    inviteLifetimes: 'at least an hour',
    issuers: 'hidden where known',
    edrDeletions: '202 for provider D',
    wrongMethods: 'as for an unknown path',
    strangeTenants: 'ignored',
    literalPaths: 'the path with the method',
    denials: 'after the body',
    integers: 'in digits alone',
    permissions: 'of the caller',
    people: 'the provider',
    ipv6: 'one each',
    beginnings: 'shown',
    memberCounts: 'ids',
    emptyPointers: 'not at all',
    temporaryPeers: 'the group All',
    trafficEvents: 'sums from newer machines',
    accessiblePeers: 'the peers in its network map',
  },
};

// How the two dialects differ. `spec` is the API as its specification has it; where that is silent it behaves like the
// public server (docs/server-behaviour.md). `netbird` is that server, faults included.

export type Dialect = 'spec' | 'netbird';

/** What handlers ask instead of the dialect itself, so that each difference has a name. */
export interface Behaviour {
  /** Whether missing fields and limits are refused, or read as zero and accepted. */
  readonly requests: 'held to the contract' | 'taken as they come';
  /** What a read shows for an empty list that was never set. */
  readonly emptyLists: '[]' | 'null';
  /** Whether a policy keeps all its rules, or only one, whose id is that of the policy. */
  readonly rules: 'many' | 'one';
  /** Whether a router can be created disabled. */
  readonly newRouters: 'as asked' | 'always enabled';
  /** Whether a group inside another record says all that it should. */
  readonly summaries: 'whole' | 'in part';
  /** What a bad address and a path through the wrong network are answered with. */
  readonly mistakes: 'refused' | 'internal errors';
  /** What a write of a resource through another network does. */
  readonly strayResources: 'refused' | 'moved';
  /** What a write of a posture check without `checks` does. */
  readonly missingChecks: 'no checks' | 'a dropped connection';
  /** What a list of groups by a name gives. */
  readonly groupsByName: 'all of them' | 'one or 404';
  /** Which codes a notification channel may name. */
  readonly notificationCodes: 'audit' | 'own';
  /** What the flags of post-quantum key exchange are called. */
  readonly keyExchangeFlags: 'pqkex' | 'rosenpass';
  /** Whether the lists of all resources and all routers, which the specification does not have, are there. */
  readonly accountWideLists: boolean;
  /** Whether paths name the vendors of integrations. */
  readonly paths: 'as specified' | 'by vendor';
  /** What the ids of setup keys and audit events are. */
  readonly numberedIds: 'integers' | 'texts';
  /** How the answer to the creation of a token holds it. */
  readonly plainTokens: 'in an object' | 'as a text';
  /** When ephemeral peers are deleted. */
  readonly ephemeralPeers: 'go when they disconnect' | 'go some minutes later';
  /** The response to a malformed token of an invite. */
  readonly strangeInviteTokens: 'unknown' | 'a login';
  /** How short an invite may last. */
  readonly inviteLifetimes: 'any' | 'an hour at least';
  /** Whether the issuers of some types of identity provider read as nothing. */
  readonly issuers: 'shown' | 'hidden where known';
  /** What the deletion of the integration with endpoint-detection provider D is answered with. */
  readonly edrDeletions: 'alike' | 'accepted by provider D';
  /** How a method is answered that a path does not have. */
  readonly wrongMethods: '405' | 'like an unknown path';
  /** Which operation a path means that a literal and a placeholder fit. */
  readonly literalPaths: 'the literal' | 'the one with the method';
  /** Whether the right to write is checked before the body is. */
  readonly denials: 'before the body' | 'after the body';
  /** How a whole number may be written in a body. */
  readonly integers: 'in any form' | 'in digits alone';
  /** How a write is read that announces no body. */
  readonly missingBodies: 'as malformed' | 'as empty';
  /** Which users show their rights, and on which modules. */
  readonly permissions: 'of every user' | 'of the caller';
  /** Who names the people that sign in at the embedded identity provider. */
  readonly people: 'the account' | 'the provider';
  /** Whether peers have an IPv6 address. */
  readonly ipv6: 'none' | 'one each';
  /** Whether a new account shows its origin: the first token of its owner, and two events. */
  readonly beginnings: 'hidden' | 'shown';
  /** What the summary of a group counts: the peers that exist, or the ids that it was given. */
  readonly memberCounts: 'peers' | 'ids';
  /** How a pointer to a resource reads that has neither an id nor a type. */
  readonly emptyPointers: 'as it is' | 'not at all';
  /** Which groups the peer of a temporary access joins. */
  readonly temporaryPeers: 'no group' | 'the group All';
  /** Which peers the list of accessible peers holds. */
  readonly accessiblePeers: 'those it reaches' | 'those in its network map';
}

export const BEHAVIOUR: Readonly<Record<Dialect, Behaviour>> = {
  spec: {
    requests: 'held to the contract',
    emptyLists: '[]',
    rules: 'many',
    newRouters: 'as asked',
    summaries: 'whole',
    mistakes: 'refused',
    strayResources: 'refused',
    missingChecks: 'no checks',
    groupsByName: 'all of them',
    notificationCodes: 'audit',
    keyExchangeFlags: 'pqkex',
    accountWideLists: false,
    paths: 'as specified',
    numberedIds: 'integers',
    plainTokens: 'in an object',
    ephemeralPeers: 'go when they disconnect',
    strangeInviteTokens: 'unknown',
    inviteLifetimes: 'any',
    issuers: 'shown',
    edrDeletions: 'alike',
    wrongMethods: '405',
    literalPaths: 'the literal',
    denials: 'before the body',
    integers: 'in any form',
    missingBodies: 'as malformed',
    permissions: 'of every user',
    people: 'the account',
    ipv6: 'none',
    beginnings: 'hidden',
    memberCounts: 'peers',
    emptyPointers: 'as it is',
    temporaryPeers: 'no group',
    accessiblePeers: 'those it reaches',
  },
  netbird: {
    requests: 'taken as they come',
    emptyLists: 'null',
    rules: 'one',
    newRouters: 'always enabled',
    summaries: 'in part',
    mistakes: 'internal errors',
    strayResources: 'moved',
    missingChecks: 'a dropped connection',
    groupsByName: 'one or 404',
    notificationCodes: 'own',
    keyExchangeFlags: 'rosenpass',
    accountWideLists: true,
    paths: 'by vendor',
    numberedIds: 'texts',
    plainTokens: 'as a text',
    ephemeralPeers: 'go some minutes later',
    strangeInviteTokens: 'a login',
    inviteLifetimes: 'an hour at least',
    issuers: 'hidden where known',
    edrDeletions: 'accepted by provider D',
    wrongMethods: 'like an unknown path',
    literalPaths: 'the one with the method',
    denials: 'after the body',
    integers: 'in digits alone',
    missingBodies: 'as empty',
    permissions: 'of the caller',
    people: 'the provider',
    ipv6: 'one each',
    beginnings: 'shown',
    memberCounts: 'ids',
    emptyPointers: 'not at all',
    temporaryPeers: 'the group All',
    accessiblePeers: 'those in its network map',
  },
};

// The behaviour matrix of the emulator: each item of docs/server-behaviour.md#what-the-emulator-imitates, and further
// differences, each with its dialect and the reason.
import type { Behaviour } from './dialect.ts';

/** A behaviour of servers, and the dialects that have it. */
export interface ShownBehaviour {
  /** The number of the item in docs/server-behaviour.md#what-the-emulator-imitates; absent if the list does not contain it. */
  readonly item?: number;
  readonly what: string;
  /** The dialects that have the behaviour. */
  readonly shownBy: 'both' | 'netbird' | 'differs';
  /** The reason for the behaviour, if it is not obvious. */
  readonly because?: string;
  /** The fields of `Behaviour` that decide the behaviour. */
  readonly decidedBy?: readonly (keyof Behaviour)[];
}

/** The behaviours in which servers differ, and what shows each of them. */
export const BEHAVIOURS: readonly ShownBehaviour[] = [
  {
    item: 1,
    what: 'Status codes and error bodies',
    shownBy: 'both',
    because: 'The specification shows neither.',
  },
  {
    item: 1,
    what: 'Ids of setup keys and audit events are strings',
    shownBy: 'netbird',
    because: 'In the specification these ids are integers.',
    decidedBy: ['numberedIds'],
  },
  {
    item: 1,
    what: 'A deletion is answered with 202 for one provider of endpoint detection',
    shownBy: 'netbird',
    because: 'The specification lists no such difference.',
    decidedBy: ['edrDeletions'],
  },
  {
    item: 2,
    what: 'Empty lists read as null',
    shownBy: 'netbird',
    because: 'In the specification the type of such a field is a list, without null.',
    decidedBy: ['emptyLists'],
  },
  {
    item: 3,
    what: 'A policy holds one rule, and a PUT removes none',
    shownBy: 'netbird',
    because: 'The specification has lists of rules and a PUT that replaces.',
    decidedBy: ['rules'],
  },
  {
    item: 4,
    what: 'Policies silently drop unknown groups and posture checks',
    shownBy: 'both',
  },
  { item: 4, what: 'authorized_groups vanish unless the protocol is netbird-ssh', shownBy: 'both' },
  {
    item: 4,
    what: 'A router is always created enabled',
    shownBy: 'netbird',
    because:
      'The specification requires the field `enabled`, and does not say that a create ignores the field.',
    decidedBy: ['newRouters'],
  },
  { item: 5, what: 'Addresses, ranges and domains are normalised', shownBy: 'both' },
  {
    item: 6,
    what: 'Routes are returned with an empty peer and a placeholder network',
    shownBy: 'both',
  },
  {
    item: 7,
    what: 'A group and a resource show the same membership, whose type may be out of date',
    shownBy: 'both',
  },
  {
    item: 8,
    what: 'What blocks a deletion, what a deletion cascades to, and what it leaves dangling',
    shownBy: 'both',
  },
  { item: 9, what: 'A policy PUT that changes nothing writes nothing', shownBy: 'both' },
  { item: 9, what: 'Audit events, written after the response', shownBy: 'both' },
  {
    item: 10,
    what: 'The content of a new account, and the requests that the group `All` refuses',
    shownBy: 'both',
  },
  { item: 11, what: 'Token format, expiry, and 404 for a token that is unknown', shownBy: 'both' },
  {
    item: 11,
    what: 'Masked setup keys, roles, and service users that can read everything',
    shownBy: 'both',
  },
  {
    item: 11,
    what: 'The response to the creation of a token contains it as a string',
    shownBy: 'netbird',
    because: 'In the specification the token is inside an object.',
    decidedBy: ['plainTokens'],
  },
  { item: 12, what: 'Computed lists and counts', shownBy: 'both' },
  {
    item: 13,
    what: 'Shuffled lists, with `--shuffle`',
    shownBy: 'both',
  },
  {
    item: 14,
    what: 'Rate limiting, with `--rate-limit`',
    shownBy: 'both',
  },
  { item: 15, what: 'Hooks without an operation of the API: the controls', shownBy: 'both' },
  {
    item: 16,
    what: 'Some invalid requests are answered with 500',
    shownBy: 'netbird',
    because: 'These are bugs of one server; the specification declares these values invalid.',
    decidedBy: ['mistakes'],
  },
  {
    item: 16,
    what: 'A posture check without checks drops the connection',
    shownBy: 'netbird',
    because: 'The field is optional in the specification.',
    decidedBy: ['missingChecks'],
  },
  {
    item: 16,
    what: 'The body null drops the connection when a user, a peer or a setup key is written',
    shownBy: 'netbird',
    because: 'It is a bug of one server; in the specification null is an omitted value.',
    decidedBy: ['nullBodies'],
  },
  { item: 16, what: 'Faults on demand', shownBy: 'both' },
  { item: 17, what: 'X-Request-Id on every answer', shownBy: 'both' },
  {
    what: 'Required fields and limits are enforced',
    shownBy: 'differs',
    because:
      'The specification has required fields and limits, which the server mostly does not enforce.',
    decidedBy: ['requests'],
  },
  {
    what: '`?account=` with an id that is not a tenant of the caller has no effect',
    shownBy: 'netbird',
    because:
      'The specification does not mention it; a request for another account is refused, and not executed in the account of the caller.',
    decidedBy: ['strangeTenants'],
  },
  {
    what: 'Groups inside other records lack `issued`, and have wrong counts',
    shownBy: 'netbird',
    because: 'The specification lists what a summary holds.',
    decidedBy: ['summaries'],
  },
  {
    what: 'A PUT of a resource through another network moves it there',
    shownBy: 'netbird',
    because: 'Under the specification the path names the network that a resource is in.',
    decidedBy: ['strayResources'],
  },
  {
    what: 'A list of groups filtered by name returns one group, or 404',
    shownBy: 'netbird',
    because: 'The specification has a filter that returns a list.',
    decidedBy: ['groupsByName'],
  },
  {
    what: 'Notification channels have separate codes',
    shownBy: 'netbird',
    because: 'In the specification the codes of channels are those of audit events.',
    decidedBy: ['notificationCodes'],
  },
  {
    what: 'Names of the post-quantum flags of a peer',
    shownBy: 'differs',
    decidedBy: ['keyExchangeFlags'],
  },
  {
    what: 'Account settings, DNS, reverse proxy, and lists of all resources and of all routers',
    shownBy: 'netbird',
    because: 'The specification does not have these operations.',
    decidedBy: ['furtherPaths'],
  },
  {
    what: 'Paths name the vendors of integrations',
    shownBy: 'netbird',
    because: 'The specification has neutral names.',
    decidedBy: ['paths'],
  },
  {
    what: 'An ephemeral peer stays for some minutes after it disconnects',
    shownBy: 'netbird',
    because: 'In the specification an ephemeral peer is deleted when it disconnects.',
    decidedBy: ['ephemeralPeers'],
  },
  {
    what: 'A token that does not have the form of an invite needs a login',
    shownBy: 'netbird',
    because: 'In the specification the paths are always public.',
    decidedBy: ['strangeInviteTokens'],
  },
  {
    what: 'An invite lasts at least an hour',
    shownBy: 'netbird',
    because: 'The specification has no lower limit.',
    decidedBy: ['inviteLifetimes'],
  },
  {
    what: 'Identity providers of two types are returned without their issuer',
    shownBy: 'netbird',
    because: 'The specification lists the issuer among the fields of every type.',
    decidedBy: ['issuers'],
  },
  {
    what: 'A method that a path does not have is answered like an unknown path',
    shownBy: 'netbird',
    because: 'Under the specification, the server answers 405 and lists the allowed methods.',
    decidedBy: ['wrongMethods'],
  },
  {
    what: 'If a literal path lacks the method, the request goes to the path with a placeholder',
    shownBy: 'netbird',
    because: 'In the specification the literals are fixed paths.',
    decidedBy: ['literalPaths'],
  },
  {
    what: 'A malformed body is refused before it is checked whether the caller may send it',
    shownBy: 'netbird',
    because:
      'The specification defines no order, and a caller without the right needs no details about the body.',
    decidedBy: ['denials'],
  },
  {
    what: 'A whole number is written in digits, not as 1.0',
    shownBy: 'netbird',
    because: 'In JSON Schema both are the same number.',
    decidedBy: ['integers'],
  },
  {
    what: 'Permissions are shown only to the caller, for every module of the open-source server',
    shownBy: 'netbird',
    because: 'In the specification every user has permissions, for two modules.',
    decidedBy: ['permissions'],
  },
  {
    what: 'People have the long ids of the embedded identity provider, whose own id is `local`',
    shownBy: 'netbird',
    because: 'In the specification ids are opaque, and every user has the field `idp_id`.',
    decidedBy: ['people'],
  },
  {
    what: 'Peers have an IPv6 address',
    shownBy: 'netbird',
    because: 'The specification has no such field.',
    decidedBy: ['ipv6'],
  },
  {
    what: 'The first token of an account is in the list, and the log begins with account and token',
    shownBy: 'netbird',
    because: 'The specification does not define the first state of an account.',
    decidedBy: ['beginnings'],
  },
  {
    what: 'Summaries of groups and networks count peers that do not exist',
    shownBy: 'netbird',
    because: 'The specification has a count of peers.',
    decidedBy: ['memberCounts'],
  },
  {
    what: 'A reference without id and type is dropped from a rule, and breaks the connection in a group',
    shownBy: 'netbird',
    because: 'It is a bug of one server.',
    decidedBy: ['emptyPointers'],
  },
  {
    what: 'The peer of a temporary access joins All',
    shownBy: 'netbird',
    because: 'In the specification, the peer reaches only the peer that it was created for.',
    decidedBy: ['temporaryPeers'],
  },
  {
    what: 'Machines from 0.75 report sums of flows, and only the receiving side knows the policy',
    shownBy: 'netbird',
    because: 'The specification has one flow in each event.',
    decidedBy: ['trafficEvents'],
  },
  {
    what: 'Accessible peers are those in the network map of a peer',
    shownBy: 'netbird',
    because: 'The specification has the peers that a peer can connect to.',
    decidedBy: ['accessiblePeers'],
  },
];

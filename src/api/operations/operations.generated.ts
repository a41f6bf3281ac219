// The Management API as types: what every operation takes and answers. Made from schemas/openapi.yaml by
// test/client/freshness.test.ts, which BLESS=1 lets write it anew. Not to be edited.

/** A time, RFC 3339 in UTC. One that never was is the year 1. */
export type Timestamp = string;

/** An id in a path, as records show it. */
export type Id = string | number;

/** What has no fields. */
export interface Nothing {
  readonly [name: string]: never;
}

/** Every operation by its id. */
export interface Operations {
  /**
   * List the tokens of a user.
   *
   * `GET /api/users/{userId}/tokens`
   */
  readonly listTokens: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
      };
    };
    readonly answer: readonly Token[];
  };
  /**
   * Create a token.
   *
   * The token itself is shown only in this response.
   *
   * `POST /api/users/{userId}/tokens`
   */
  readonly createToken: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
      };
      readonly body: TokenRequest;
    };
    readonly answer: RevealedToken;
  };
  /**
   * Read a token.
   *
   * `GET /api/users/{userId}/tokens/{tokenId}`
   */
  readonly getToken: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
        /** Id of a token. */
        readonly tokenId: Id;
      };
    };
    readonly answer: Token;
  };
  /**
   * Delete a token.
   *
   * It opens nothing from then on.
   *
   * `DELETE /api/users/{userId}/tokens/{tokenId}`
   */
  readonly deleteToken: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
        /** Id of a token. */
        readonly tokenId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List users.
   *
   * There is no way to read one user but to list them.
   *
   * `GET /api/users`
   */
  readonly listUsers: {
    readonly method: 'GET';
    readonly input: {
      readonly query?: {
        /** Only service users, or only people; all users if absent. */
        readonly service_user?: boolean;
      };
    };
    readonly answer: readonly User[];
  };
  /**
   * Create a service user or invite a person.
   *
   * A service user needs no email and may share its name. A person needs both a name and an email that no other user
   * has; with the embedded identity provider the answer holds a password, which is not shown again.
   *
   * `POST /api/users`
   */
  readonly createUser: {
    readonly method: 'POST';
    readonly input: {
      readonly body: UserRequest;
    };
    readonly answer: User;
  };
  /**
   * Change a user's role, groups and whether they are blocked.
   *
   * Name and email cannot be changed. The groups are those that the user's peers are in.
   *
   * `PUT /api/users/{userId}`
   */
  readonly updateUser: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
      };
      readonly body: UserUpdateRequest;
    };
    readonly answer: User;
  };
  /**
   * Delete a user.
   *
   * Their peers and tokens go with them. Whether the identity provider forgets them is its own matter.
   *
   * `DELETE /api/users/{userId}`
   */
  readonly deleteUser: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * Send a person's invitation again.
   *
   * `POST /api/users/{userId}/invite`
   */
  readonly resendUserInvitation: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * Approve a user who waits for approval.
   *
   * `POST /api/users/{userId}/approve`
   */
  readonly approveUser: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
      };
    };
    readonly answer: User;
  };
  /**
   * Turn away a user who waits for approval.
   *
   * `DELETE /api/users/{userId}/reject`
   */
  readonly rejectUser: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * Change one's own password.
   *
   * Needs the embedded identity provider.
   *
   * `PUT /api/users/{userId}/password`
   */
  readonly changePassword: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a user. */
        readonly userId: Id;
      };
      readonly body: PasswordChangeRequest;
    };
    readonly answer: Nothing;
  };
  /**
   * Read the user who calls.
   *
   * Refused with a 403 to a service user, who finds itself in the list by `is_current`.
   *
   * `GET /api/users/current`
   */
  readonly getCurrentUser: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: CurrentUser;
  };
  /**
   * List the invites that nobody has accepted.
   *
   * Needs the embedded identity provider.
   *
   * `GET /api/users/invites`
   */
  readonly listUserInvites: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly UserInvite[];
  };
  /**
   * Invite a person.
   *
   * The user does not exist until the invite is accepted. No user and no other invite may have the email. Needs the
   * embedded identity provider.
   *
   * `POST /api/users/invites`
   */
  readonly createUserInvite: {
    readonly method: 'POST';
    readonly input: {
      readonly body: UserInviteRequest;
    };
    readonly answer: UserInvite;
  };
  /**
   * Read the public data of an invite.
   *
   * Needs no credentials besides the token in the path. Needs the embedded identity provider. Needs no credentials.
   *
   * `GET /api/users/invites/{invite}`
   */
  readonly getUserInvite: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Token of an invite. */
        readonly invite: Id;
      };
    };
    readonly answer: PublicInvite;
  };
  /**
   * Take an invite back.
   *
   * Needs the embedded identity provider.
   *
   * `DELETE /api/users/invites/{invite}`
   */
  readonly deleteUserInvite: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of an invite. */
        readonly invite: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * Give an invite a new token and a new end.
   *
   * The token it had is worth nothing from then on. The body may be left out. Needs the embedded identity provider.
   *
   * `POST /api/users/invites/{inviteId}/regenerate`
   */
  readonly regenerateUserInvite: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of an invite. */
        readonly inviteId: Id;
      };
      readonly body?: InviteRegenerationRequest;
    };
    readonly answer: RegeneratedInvite;
  };
  /**
   * Accept an invite.
   *
   * Needs no credentials besides the token in the path. The user is created with that password. Needs the embedded
   * identity provider. Needs no credentials.
   *
   * `POST /api/users/invites/{token}/accept`
   */
  readonly acceptUserInvite: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Token of an invite. */
        readonly token: Id;
      };
      readonly body: InviteAcceptanceRequest;
    };
    readonly answer: InviteAccepted;
  };
  /**
   * List networks.
   *
   * `GET /api/networks`
   */
  readonly listNetworks: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly Network[];
  };
  /**
   * Create a network.
   *
   * Names need not be unique.
   *
   * `POST /api/networks`
   */
  readonly createNetwork: {
    readonly method: 'POST';
    readonly input: {
      readonly body: NetworkRequest;
    };
    readonly answer: Network;
  };
  /**
   * Read a network.
   *
   * `GET /api/networks/{networkId}`
   */
  readonly getNetwork: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
      };
    };
    readonly answer: Network;
  };
  /**
   * Replace a network.
   *
   * Replaces name and description. Resources and routers have operations of their own and stay.
   *
   * `PUT /api/networks/{networkId}`
   */
  readonly updateNetwork: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
      };
      readonly body: NetworkRequest;
    };
    readonly answer: Network;
  };
  /**
   * Delete a network.
   *
   * Its resources and routers go with it. Policies that name one of the resources stay and point nowhere.
   *
   * `DELETE /api/networks/{networkId}`
   */
  readonly deleteNetwork: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List the resources of a network.
   *
   * `GET /api/networks/{networkId}/resources`
   */
  readonly listNetworkResources: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
      };
    };
    readonly answer: readonly NetworkResource[];
  };
  /**
   * Create a resource in a network.
   *
   * The name must be unique among the resources of the account, across networks.
   *
   * `POST /api/networks/{networkId}/resources`
   */
  readonly createNetworkResource: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
      };
      readonly body: NetworkResourceRequest;
    };
    readonly answer: NetworkResource;
  };
  /**
   * Read a resource.
   *
   * `GET /api/networks/{networkId}/resources/{resourceId}`
   */
  readonly getNetworkResource: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
        /** Id of a network resource. */
        readonly resourceId: Id;
      };
    };
    readonly answer: NetworkResource;
  };
  /**
   * Replace a resource.
   *
   * `groups` is the same fact as `resources` of those groups: the resource joins the groups that are listed and leaves
   * every other one.
   *
   * `PUT /api/networks/{networkId}/resources/{resourceId}`
   */
  readonly updateNetworkResource: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
        /** Id of a network resource. */
        readonly resourceId: Id;
      };
      readonly body: NetworkResourceRequest;
    };
    readonly answer: NetworkResource;
  };
  /**
   * Delete a resource.
   *
   * It leaves its groups. Policies that name it stay and point nowhere.
   *
   * `DELETE /api/networks/{networkId}/resources/{resourceId}`
   */
  readonly deleteNetworkResource: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
        /** Id of a network resource. */
        readonly resourceId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List the routers of a network.
   *
   * `GET /api/networks/{networkId}/routers`
   */
  readonly listNetworkRouters: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
      };
    };
    readonly answer: readonly NetworkRouter[];
  };
  /**
   * Create a router in a network.
   *
   * Some servers ignore `enabled` here and create an enabled router; an update then takes it.
   *
   * `POST /api/networks/{networkId}/routers`
   */
  readonly createNetworkRouter: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
      };
      readonly body: NetworkRouterRequest;
    };
    readonly answer: NetworkRouter;
  };
  /**
   * Read a router.
   *
   * `GET /api/networks/{networkId}/routers/{routerId}`
   */
  readonly getNetworkRouter: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
        /** Id of a network router. */
        readonly routerId: Id;
      };
    };
    readonly answer: NetworkRouter;
  };
  /**
   * Replace a router.
   *
   * `PUT /api/networks/{networkId}/routers/{routerId}`
   */
  readonly updateNetworkRouter: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
        /** Id of a network router. */
        readonly routerId: Id;
      };
      readonly body: NetworkRouterRequest;
    };
    readonly answer: NetworkRouter;
  };
  /**
   * Delete a router.
   *
   * `DELETE /api/networks/{networkId}/routers/{routerId}`
   */
  readonly deleteNetworkRouter: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a network. */
        readonly networkId: Id;
        /** Id of a network router. */
        readonly routerId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List peers.
   *
   * `GET /api/peers`
   */
  readonly listPeers: {
    readonly method: 'GET';
    readonly input: {
      readonly query?: {
        /** Only peers whose name holds this text. */
        readonly name?: string;
        /** Only peers whose address in the overlay network holds this text. */
        readonly ip?: string;
      };
    };
    readonly answer: readonly ListedPeer[];
  };
  /**
   * Read a peer.
   *
   * `GET /api/peers/{peerId}`
   */
  readonly getPeer: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
    };
    readonly answer: Peer;
  };
  /**
   * Change a peer.
   *
   * A new name gives a new `dns_label`. The two expirations can be changed only for a peer that a user enrolled by
   * signing in; for any other a change is refused with a 412.
   *
   * `PUT /api/peers/{peerId}`
   */
  readonly updatePeer: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
      readonly body: PeerRequest;
    };
    readonly answer: Peer;
  };
  /**
   * Delete a peer.
   *
   * The peer leaves its groups, and every policy with a rule that names the peer itself is deleted. Refused with a 412
   * while a network router names it.
   *
   * `DELETE /api/peers/{peerId}`
   */
  readonly deletePeer: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List the peers that a peer can connect to.
   *
   * `GET /api/peers/{peerId}/accessible-peers`
   */
  readonly listAccessiblePeers: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
    };
    readonly answer: readonly AccessiblePeer[];
  };
  /**
   * Give temporary access to one peer.
   *
   * Makes a peer that reaches only this one. Once it disconnects it is deleted, and its policies with it.
   *
   * `POST /api/peers/{peerId}/temporary-access`
   */
  readonly createTemporaryAccess: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
      readonly body: TemporaryAccessRequest;
    };
    readonly answer: TemporaryAccess;
  };
  /**
   * List the jobs of a peer.
   *
   * `GET /api/peers/{peerId}/jobs`
   */
  readonly listJobs: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
    };
    readonly answer: readonly Job[];
  };
  /**
   * Ask a peer to do something.
   *
   * A peer has at most one job that waits. Some servers answer with nothing.
   *
   * `POST /api/peers/{peerId}/jobs`
   */
  readonly createJob: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
      readonly body: JobRequest;
    };
    readonly answer: Job;
  };
  /**
   * Read a job.
   *
   * `GET /api/peers/{peerId}/jobs/{jobId}`
   */
  readonly getJob: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
        /** Id of a job. */
        readonly jobId: Id;
      };
    };
    readonly answer: Job;
  };
  /**
   * List the port allocations of a peer.
   *
   * Cloud only.
   *
   * `GET /api/peers/{peerId}/ingress/ports`
   */
  readonly listIngressPortAllocations: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
      readonly query?: {
        /** Only allocations with exactly this name. */
        readonly name?: string;
      };
    };
    readonly answer: readonly IngressPortAllocation[];
  };
  /**
   * Allocate ports to a peer.
   *
   * Which ports the internet sees is for the server to choose. Cloud only.
   *
   * `POST /api/peers/{peerId}/ingress/ports`
   */
  readonly createIngressPortAllocation: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
      };
      readonly body: IngressPortAllocationRequest;
    };
    readonly answer: IngressPortAllocation;
  };
  /**
   * Read a port allocation.
   *
   * Cloud only.
   *
   * `GET /api/peers/{peerId}/ingress/ports/{allocationId}`
   */
  readonly getIngressPortAllocation: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
        /** Id of a port allocation. */
        readonly allocationId: Id;
      };
    };
    readonly answer: IngressPortAllocation;
  };
  /**
   * Replace a port allocation.
   *
   * Cloud only.
   *
   * `PUT /api/peers/{peerId}/ingress/ports/{allocationId}`
   */
  readonly updateIngressPortAllocation: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
        /** Id of a port allocation. */
        readonly allocationId: Id;
      };
      readonly body: IngressPortAllocationRequest;
    };
    readonly answer: IngressPortAllocation;
  };
  /**
   * Delete a port allocation.
   *
   * Cloud only.
   *
   * `DELETE /api/peers/{peerId}/ingress/ports/{allocationId}`
   */
  readonly deleteIngressPortAllocation: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a peer. */
        readonly peerId: Id;
        /** Id of a port allocation. */
        readonly allocationId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List the peers that let traffic in.
   *
   * Cloud only.
   *
   * `GET /api/ingress/peers`
   */
  readonly listIngressPeers: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly IngressPeer[];
  };
  /**
   * Make a peer let traffic in.
   *
   * A peer is an ingress peer at most once. Cloud only.
   *
   * `POST /api/ingress/peers`
   */
  readonly createIngressPeer: {
    readonly method: 'POST';
    readonly input: {
      readonly body: IngressPeerRequest;
    };
    readonly answer: IngressPeer;
  };
  /**
   * Read an ingress peer.
   *
   * Cloud only.
   *
   * `GET /api/ingress/peers/{ingressPeerId}`
   */
  readonly getIngressPeer: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of an ingress peer. */
        readonly ingressPeerId: Id;
      };
    };
    readonly answer: IngressPeer;
  };
  /**
   * Change an ingress peer.
   *
   * The peer itself cannot be changed. Cloud only.
   *
   * `PUT /api/ingress/peers/{ingressPeerId}`
   */
  readonly updateIngressPeer: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of an ingress peer. */
        readonly ingressPeerId: Id;
      };
      readonly body: IngressPeerUpdateRequest;
    };
    readonly answer: IngressPeer;
  };
  /**
   * Make a peer let traffic in no longer.
   *
   * Refused with a 412 while ports are allocated on it. Cloud only.
   *
   * `DELETE /api/ingress/peers/{ingressPeerId}`
   */
  readonly deleteIngressPeer: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of an ingress peer. */
        readonly ingressPeerId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List groups.
   *
   * All groups of the account with their members, or those with the given name.
   *
   * `GET /api/groups`
   */
  readonly listGroups: {
    readonly method: 'GET';
    readonly input: {
      readonly query?: {
        /** Only groups with exactly this name. */
        readonly name?: string;
      };
    };
    readonly answer: readonly Group[];
  };
  /**
   * Create a group.
   *
   * The name must not be that of another group. Peers and resources are not checked for existence.
   *
   * `POST /api/groups`
   */
  readonly createGroup: {
    readonly method: 'POST';
    readonly input: {
      readonly body: GroupRequest;
    };
    readonly answer: Group;
  };
  /**
   * Read a group.
   *
   * `GET /api/groups/{groupId}`
   */
  readonly getGroup: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a group. */
        readonly groupId: Id;
      };
    };
    readonly answer: Group;
  };
  /**
   * Replace a group.
   *
   * Replaces the name and both sets of members: without `peers` the group is emptied, without `resources` every network
   * resource leaves it. The group All cannot be changed.
   *
   * `PUT /api/groups/{groupId}`
   */
  readonly updateGroup: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a group. */
        readonly groupId: Id;
      };
      readonly body: GroupRequest;
    };
    readonly answer: Group;
  };
  /**
   * Delete a group.
   *
   * Peers leave the group with it. Whatever forbids the deletion - the group is unknown, is All, or is still named by a
   * resource, route, policy, router or user - is told by a 400.
   *
   * `DELETE /api/groups/{groupId}`
   */
  readonly deleteGroup: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a group. */
        readonly groupId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List routes.
   *
   * `GET /api/routes`
   */
  readonly listRoutes: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly Route[];
  };
  /**
   * Create a route.
   *
   * Refused with a 409 where another route already leads one of the same routing peers to the same network or domains.
   *
   * `POST /api/routes`
   */
  readonly createRoute: {
    readonly method: 'POST';
    readonly input: {
      readonly body: RouteRequest;
    };
    readonly answer: Route;
  };
  /**
   * Read a route.
   *
   * `GET /api/routes/{routeId}`
   */
  readonly getRoute: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a route. */
        readonly routeId: Id;
      };
    };
    readonly answer: Route;
  };
  /**
   * Replace a route.
   *
   * The response differs from the request; see `Route`.
   *
   * `PUT /api/routes/{routeId}`
   */
  readonly updateRoute: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a route. */
        readonly routeId: Id;
      };
      readonly body: RouteRequest;
    };
    readonly answer: Route;
  };
  /**
   * Delete a route.
   *
   * `DELETE /api/routes/{routeId}`
   */
  readonly deleteRoute: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a route. */
        readonly routeId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List setup keys.
   *
   * `GET /api/setup-keys`
   */
  readonly listSetupKeys: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly SetupKey[];
  };
  /**
   * Create a setup key.
   *
   * The whole key is shown only in this response. Names need not be unique.
   *
   * `POST /api/setup-keys`
   */
  readonly createSetupKey: {
    readonly method: 'POST';
    readonly input: {
      readonly body: SetupKeyRequest;
    };
    readonly answer: SetupKey;
  };
  /**
   * Read a setup key.
   *
   * `GET /api/setup-keys/{keyId}`
   */
  readonly getSetupKey: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a setup key. */
        readonly keyId: Id;
      };
    };
    readonly answer: SetupKey;
  };
  /**
   * Revoke a setup key or change its groups.
   *
   * Nothing else of a key can change. A revoked key cannot be restored.
   *
   * `PUT /api/setup-keys/{keyId}`
   */
  readonly updateSetupKey: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a setup key. */
        readonly keyId: Id;
      };
      readonly body: SetupKeyUpdateRequest;
    };
    readonly answer: SetupKey;
  };
  /**
   * Delete a setup key.
   *
   * Peers that enrolled with it stay.
   *
   * `DELETE /api/setup-keys/{keyId}`
   */
  readonly deleteSetupKey: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a setup key. */
        readonly keyId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List identity providers.
   *
   * Needs the embedded identity provider.
   *
   * `GET /api/identity-providers`
   */
  readonly listIdentityProviders: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly IdentityProvider[];
  };
  /**
   * Add an identity provider.
   *
   * Servers may ask the issuer for its configuration and refuse one that does not answer. Needs the embedded identity
   * provider.
   *
   * `POST /api/identity-providers`
   */
  readonly createIdentityProvider: {
    readonly method: 'POST';
    readonly input: {
      readonly body: IdentityProviderRequest;
    };
    readonly answer: IdentityProvider;
  };
  /**
   * Read an identity provider.
   *
   * Needs the embedded identity provider.
   *
   * `GET /api/identity-providers/{idpId}`
   */
  readonly getIdentityProvider: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of an identity provider. */
        readonly idpId: Id;
      };
    };
    readonly answer: IdentityProvider;
  };
  /**
   * Replace an identity provider.
   *
   * The type cannot be changed. An empty `client_secret` keeps the stored secret. Needs the embedded identity provider.
   *
   * `PUT /api/identity-providers/{idpId}`
   */
  readonly updateIdentityProvider: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of an identity provider. */
        readonly idpId: Id;
      };
      readonly body: IdentityProviderRequest;
    };
    readonly answer: IdentityProvider;
  };
  /**
   * Remove an identity provider.
   *
   * Needs the embedded identity provider.
   *
   * `DELETE /api/identity-providers/{idpId}`
   */
  readonly deleteIdentityProvider: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of an identity provider. */
        readonly idpId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List policies.
   *
   * `GET /api/policies`
   */
  readonly listPolicies: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly Policy[];
  };
  /**
   * Create a policy.
   *
   * Groups and posture checks that do not exist are dropped from the policy without a word: compare the answer with
   * what was asked. Some servers keep only one rule of a policy.
   *
   * `POST /api/policies`
   */
  readonly createPolicy: {
    readonly method: 'POST';
    readonly input: {
      readonly body: PolicyRequest;
    };
    readonly answer: Policy;
  };
  /**
   * Read a policy.
   *
   * `GET /api/policies/{policyId}`
   */
  readonly getPolicy: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a policy. */
        readonly policyId: Id;
      };
    };
    readonly answer: Policy;
  };
  /**
   * Replace a policy.
   *
   * Send back the id of a rule that is to stay the same rule. A rule without an id is a new one; an id that the policy
   * does not have is refused.
   *
   * `PUT /api/policies/{policyId}`
   */
  readonly updatePolicy: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a policy. */
        readonly policyId: Id;
      };
      readonly body: PolicyRequest;
    };
    readonly answer: Policy;
  };
  /**
   * Delete a policy.
   *
   * Nothing forbids it; the policy that a new account starts with can be deleted too.
   *
   * `DELETE /api/policies/{policyId}`
   */
  readonly deletePolicy: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a policy. */
        readonly policyId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List posture checks.
   *
   * `GET /api/posture-checks`
   */
  readonly listPostureChecks: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly PostureCheck[];
  };
  /**
   * Create a posture check.
   *
   * The name must not be that of another posture check.
   *
   * `POST /api/posture-checks`
   */
  readonly createPostureCheck: {
    readonly method: 'POST';
    readonly input: {
      readonly body: PostureCheckRequest;
    };
    readonly answer: PostureCheck;
  };
  /**
   * Read a posture check.
   *
   * `GET /api/posture-checks/{postureCheckId}`
   */
  readonly getPostureCheck: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a posture check. */
        readonly postureCheckId: Id;
      };
    };
    readonly answer: PostureCheck;
  };
  /**
   * Replace a posture check.
   *
   * Replaces everything, `checks` as a whole.
   *
   * `PUT /api/posture-checks/{postureCheckId}`
   */
  readonly updatePostureCheck: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a posture check. */
        readonly postureCheckId: Id;
      };
      readonly body: PostureCheckRequest;
    };
    readonly answer: PostureCheck;
  };
  /**
   * Delete a posture check.
   *
   * Refused with a 412 while a policy names it, a disabled policy included.
   *
   * `DELETE /api/posture-checks/{postureCheckId}`
   */
  readonly deletePostureCheck: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a posture check. */
        readonly postureCheckId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List tenants.
   *
   * `GET /api/integrations/msp/tenants`
   */
  readonly listMspTenants: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly MspTenant[];
  };
  /**
   * Create a tenant.
   *
   * It waits until the DNS challenge of its domain is verified. A domain has one tenant.
   *
   * `POST /api/integrations/msp/tenants`
   */
  readonly createMspTenant: {
    readonly method: 'POST';
    readonly input: {
      readonly body: MspTenantRequest;
    };
    readonly answer: MspTenant;
  };
  /**
   * Replace a tenant's name and groups.
   *
   * The domain cannot be changed, and a tenant cannot be deleted, only unlinked.
   *
   * `PUT /api/integrations/msp/tenants/{id}`
   */
  readonly updateMspTenant: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a tenant. */
        readonly id: Id;
      };
      readonly body: MspTenantUpdateRequest;
    };
    readonly answer: MspTenant;
  };
  /**
   * Let a tenant go.
   *
   * `POST /api/integrations/msp/tenants/{id}/unlink`
   */
  readonly unlinkMspTenant: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a tenant. */
        readonly id: Id;
      };
      readonly body: MspTenantUnlinkRequest;
    };
    readonly answer: Nothing;
  };
  /**
   * Verify the DNS challenge of a tenant's domain.
   *
   * `POST /api/integrations/msp/tenants/{id}/dns`
   */
  readonly verifyMspTenantDomain: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a tenant. */
        readonly id: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * Change the subscription of a tenant.
   *
   * `POST /api/integrations/msp/tenants/{id}/subscription`
   */
  readonly changeMspTenantSubscription: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a tenant. */
        readonly id: Id;
      };
      readonly body: MspTenantSubscriptionRequest;
    };
    readonly answer: Nothing;
  };
  /**
   * Invite an account that is there already to become a tenant.
   *
   * `POST /api/integrations/msp/tenants/{id}/invite`
   */
  readonly inviteMspTenant: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a tenant. */
        readonly id: Id;
      };
    };
    readonly answer: MspTenant;
  };
  /**
   * Accept or decline to become a tenant.
   *
   * Called by the owner of the invited account.
   *
   * `PUT /api/integrations/msp/tenants/{id}/invite`
   */
  readonly answerMspTenantInvite: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a tenant. */
        readonly id: Id;
      };
      readonly body: MspTenantInviteAnswerRequest;
    };
    readonly answer: Nothing;
  };
  /**
   * Read the integration of provider A.
   *
   * `GET /api/integrations/edr/edr-provider-a`
   */
  readonly getEdrProviderA: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: EdrProviderA;
  };
  /**
   * Create the integration of provider A.
   *
   * There is at most one.
   *
   * `POST /api/integrations/edr/edr-provider-a`
   */
  readonly createEdrProviderA: {
    readonly method: 'POST';
    readonly input: {
      readonly body: EdrProviderARequest;
    };
    readonly answer: EdrProviderA;
  };
  /**
   * Replace the integration of provider A.
   *
   * The secrets must be sent again.
   *
   * `PUT /api/integrations/edr/edr-provider-a`
   */
  readonly updateEdrProviderA: {
    readonly method: 'PUT';
    readonly input: {
      readonly body: EdrProviderARequest;
    };
    readonly answer: EdrProviderA;
  };
  /**
   * Delete the integration of provider A.
   *
   * `DELETE /api/integrations/edr/edr-provider-a`
   */
  readonly deleteEdrProviderA: {
    readonly method: 'DELETE';
    readonly input: Nothing;
    readonly answer: Nothing;
  };
  /**
   * Read the integration of provider B.
   *
   * `GET /api/integrations/edr/edr-provider-b`
   */
  readonly getEdrProviderB: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: EdrProviderB;
  };
  /**
   * Create the integration of provider B.
   *
   * There is at most one.
   *
   * `POST /api/integrations/edr/edr-provider-b`
   */
  readonly createEdrProviderB: {
    readonly method: 'POST';
    readonly input: {
      readonly body: EdrProviderBRequest;
    };
    readonly answer: EdrProviderB;
  };
  /**
   * Replace the integration of provider B.
   *
   * The secrets must be sent again.
   *
   * `PUT /api/integrations/edr/edr-provider-b`
   */
  readonly updateEdrProviderB: {
    readonly method: 'PUT';
    readonly input: {
      readonly body: EdrProviderBRequest;
    };
    readonly answer: EdrProviderB;
  };
  /**
   * Delete the integration of provider B.
   *
   * `DELETE /api/integrations/edr/edr-provider-b`
   */
  readonly deleteEdrProviderB: {
    readonly method: 'DELETE';
    readonly input: Nothing;
    readonly answer: Nothing;
  };
  /**
   * Read the integration of provider C.
   *
   * `GET /api/integrations/edr/edr-provider-c`
   */
  readonly getEdrProviderC: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: EdrProviderC;
  };
  /**
   * Create the integration of provider C.
   *
   * There is at most one.
   *
   * `POST /api/integrations/edr/edr-provider-c`
   */
  readonly createEdrProviderC: {
    readonly method: 'POST';
    readonly input: {
      readonly body: EdrProviderCRequest;
    };
    readonly answer: EdrProviderC;
  };
  /**
   * Replace the integration of provider C.
   *
   * The secrets must be sent again.
   *
   * `PUT /api/integrations/edr/edr-provider-c`
   */
  readonly updateEdrProviderC: {
    readonly method: 'PUT';
    readonly input: {
      readonly body: EdrProviderCRequest;
    };
    readonly answer: EdrProviderC;
  };
  /**
   * Delete the integration of provider C.
   *
   * `DELETE /api/integrations/edr/edr-provider-c`
   */
  readonly deleteEdrProviderC: {
    readonly method: 'DELETE';
    readonly input: Nothing;
    readonly answer: Nothing;
  };
  /**
   * Read the integration of provider D.
   *
   * `GET /api/integrations/edr/edr-provider-d`
   */
  readonly getEdrProviderD: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: EdrProviderD;
  };
  /**
   * Create the integration of provider D.
   *
   * There is at most one.
   *
   * `POST /api/integrations/edr/edr-provider-d`
   */
  readonly createEdrProviderD: {
    readonly method: 'POST';
    readonly input: {
      readonly body: EdrProviderDRequest;
    };
    readonly answer: EdrProviderD;
  };
  /**
   * Replace the integration of provider D.
   *
   * The secrets must be sent again.
   *
   * `PUT /api/integrations/edr/edr-provider-d`
   */
  readonly updateEdrProviderD: {
    readonly method: 'PUT';
    readonly input: {
      readonly body: EdrProviderDRequest;
    };
    readonly answer: EdrProviderD;
  };
  /**
   * Delete the integration of provider D.
   *
   * `DELETE /api/integrations/edr/edr-provider-d`
   */
  readonly deleteEdrProviderD: {
    readonly method: 'DELETE';
    readonly input: Nothing;
    readonly answer: Nothing;
  };
  /**
   * List the SCIM integrations.
   *
   * `GET /api/integrations/scim-idp`
   */
  readonly listScimIntegrations: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly ScimIntegration[];
  };
  /**
   * Create a SCIM integration.
   *
   * `POST /api/integrations/scim-idp`
   */
  readonly createScimIntegration: {
    readonly method: 'POST';
    readonly input: {
      readonly body: ScimIntegrationRequest;
    };
    readonly answer: ScimIntegration;
  };
  /**
   * Read a SCIM integration.
   *
   * `GET /api/integrations/scim-idp/{id}`
   */
  readonly getScimIntegration: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a SCIM integration. */
        readonly id: Id;
      };
    };
    readonly answer: ScimIntegration;
  };
  /**
   * Change a SCIM integration.
   *
   * Changes only the fields that are sent.
   *
   * `PUT /api/integrations/scim-idp/{id}`
   */
  readonly updateScimIntegration: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a SCIM integration. */
        readonly id: Id;
      };
      readonly body: ScimIntegrationUpdateRequest;
    };
    readonly answer: ScimIntegration;
  };
  /**
   * Delete a SCIM integration.
   *
   * `DELETE /api/integrations/scim-idp/{id}`
   */
  readonly deleteScimIntegration: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a SCIM integration. */
        readonly id: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * Give a SCIM integration a new token.
   *
   * The token it had opens nothing from then on.
   *
   * `POST /api/integrations/scim-idp/{id}/token`
   */
  readonly regenerateScimToken: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a SCIM integration. */
        readonly id: Id;
      };
    };
    readonly answer: ScimToken;
  };
  /**
   * Read the log of a SCIM integration.
   *
   * `GET /api/integrations/scim-idp/{id}/logs`
   */
  readonly listScimLogs: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a SCIM integration. */
        readonly id: Id;
      };
    };
    readonly answer: readonly SyncLog[];
  };
  /**
   * List the integrations of directory A.
   *
   * `GET /api/integrations/idp-sync-a`
   */
  readonly listDirectorySyncsA: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly DirectorySyncA[];
  };
  /**
   * Create an integration of directory A.
   *
   * `POST /api/integrations/idp-sync-a`
   */
  readonly createDirectorySyncA: {
    readonly method: 'POST';
    readonly input: {
      readonly body: DirectorySyncARequest;
    };
    readonly answer: DirectorySyncA;
  };
  /**
   * Read an integration of directory A.
   *
   * `GET /api/integrations/idp-sync-a/{id}`
   */
  readonly getDirectorySyncA: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
    };
    readonly answer: DirectorySyncA;
  };
  /**
   * Change an integration of directory A.
   *
   * Changes only the fields that are sent.
   *
   * `PUT /api/integrations/idp-sync-a/{id}`
   */
  readonly updateDirectorySyncA: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
      readonly body: DirectorySyncAUpdateRequest;
    };
    readonly answer: DirectorySyncA;
  };
  /**
   * Delete an integration of directory A.
   *
   * `DELETE /api/integrations/idp-sync-a/{id}`
   */
  readonly deleteDirectorySyncA: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * Synchronise with directory A now.
   *
   * `POST /api/integrations/idp-sync-a/{id}/sync`
   */
  readonly runDirectorySyncA: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
    };
    readonly answer: SyncResult;
  };
  /**
   * Read the log of an integration of directory A.
   *
   * `GET /api/integrations/idp-sync-a/{id}/logs`
   */
  readonly listDirectorySyncLogsA: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
    };
    readonly answer: readonly SyncLog[];
  };
  /**
   * List the integrations of directory B.
   *
   * `GET /api/integrations/idp-sync-b`
   */
  readonly listDirectorySyncsB: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly DirectorySyncB[];
  };
  /**
   * Create an integration of directory B.
   *
   * `POST /api/integrations/idp-sync-b`
   */
  readonly createDirectorySyncB: {
    readonly method: 'POST';
    readonly input: {
      readonly body: DirectorySyncBRequest;
    };
    readonly answer: DirectorySyncB;
  };
  /**
   * Read an integration of directory B.
   *
   * `GET /api/integrations/idp-sync-b/{id}`
   */
  readonly getDirectorySyncB: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
    };
    readonly answer: DirectorySyncB;
  };
  /**
   * Change an integration of directory B.
   *
   * Changes only the fields that are sent.
   *
   * `PUT /api/integrations/idp-sync-b/{id}`
   */
  readonly updateDirectorySyncB: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
      readonly body: DirectorySyncBUpdateRequest;
    };
    readonly answer: DirectorySyncB;
  };
  /**
   * Delete an integration of directory B.
   *
   * `DELETE /api/integrations/idp-sync-b/{id}`
   */
  readonly deleteDirectorySyncB: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * Synchronise with directory B now.
   *
   * `POST /api/integrations/idp-sync-b/{id}/sync`
   */
  readonly runDirectorySyncB: {
    readonly method: 'POST';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
    };
    readonly answer: SyncResult;
  };
  /**
   * Read the log of an integration of directory B.
   *
   * `GET /api/integrations/idp-sync-b/{id}/logs`
   */
  readonly listDirectorySyncLogsB: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a directory integration. */
        readonly id: Id;
      };
    };
    readonly answer: readonly SyncLog[];
  };
  /**
   * List the event types that a channel can receive.
   *
   * `GET /api/integrations/notifications/types`
   */
  readonly listNotificationTypes: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: { readonly [name: string]: string };
  };
  /**
   * List notification channels.
   *
   * `GET /api/integrations/notifications/channels`
   */
  readonly listNotificationChannels: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly NotificationChannel[];
  };
  /**
   * Create a notification channel.
   *
   * `POST /api/integrations/notifications/channels`
   */
  readonly createNotificationChannel: {
    readonly method: 'POST';
    readonly input: {
      readonly body: NotificationChannelRequest;
    };
    readonly answer: NotificationChannel;
  };
  /**
   * Read a notification channel.
   *
   * `GET /api/integrations/notifications/channels/{channelId}`
   */
  readonly getNotificationChannel: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a channel. */
        readonly channelId: Id;
      };
    };
    readonly answer: NotificationChannel;
  };
  /**
   * Replace a notification channel.
   *
   * The headers of a webhook are replaced too, and cannot be read back.
   *
   * `PUT /api/integrations/notifications/channels/{channelId}`
   */
  readonly updateNotificationChannel: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a channel. */
        readonly channelId: Id;
      };
      readonly body: NotificationChannelRequest;
    };
    readonly answer: NotificationChannel;
  };
  /**
   * Delete a notification channel.
   *
   * `DELETE /api/integrations/notifications/channels/{channelId}`
   */
  readonly deleteNotificationChannel: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a channel. */
        readonly channelId: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List event streaming integrations.
   *
   * `GET /api/event-streaming`
   */
  readonly listEventStreams: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly EventStream[];
  };
  /**
   * Create an event streaming integration.
   *
   * Servers may ignore `enabled` here and create an enabled integration; an update then takes it.
   *
   * `POST /api/event-streaming`
   */
  readonly createEventStream: {
    readonly method: 'POST';
    readonly input: {
      readonly body: EventStreamRequest;
    };
    readonly answer: EventStream;
  };
  /**
   * Read an event streaming integration.
   *
   * `GET /api/event-streaming/{id}`
   */
  readonly getEventStream: {
    readonly method: 'GET';
    readonly input: {
      readonly params: {
        /** Id of a streaming integration. */
        readonly id: Id;
      };
    };
    readonly answer: EventStream;
  };
  /**
   * Change an event streaming integration.
   *
   * `platform` is ignored. Of `config` the fields that are sent are changed, so that it may be a part of the
   * configuration or all of it.
   *
   * `PUT /api/event-streaming/{id}`
   */
  readonly updateEventStream: {
    readonly method: 'PUT';
    readonly input: {
      readonly params: {
        /** Id of a streaming integration. */
        readonly id: Id;
      };
      readonly body: EventStreamRequest;
    };
    readonly answer: EventStream;
  };
  /**
   * Delete an event streaming integration.
   *
   * `DELETE /api/event-streaming/{id}`
   */
  readonly deleteEventStream: {
    readonly method: 'DELETE';
    readonly input: {
      readonly params: {
        /** Id of a streaming integration. */
        readonly id: Id;
      };
    };
    readonly answer: Nothing;
  };
  /**
   * List audit events.
   *
   * An event appears shortly after the answer to the request that caused it.
   *
   * `GET /api/events/audit`
   */
  readonly listAuditEvents: {
    readonly method: 'GET';
    readonly input: Nothing;
    readonly answer: readonly AuditEvent[];
  };
  /**
   * List network traffic events.
   *
   * Experimental. Cloud only.
   *
   * `GET /api/events/network-traffic`
   */
  readonly listNetworkTrafficEvents: {
    readonly method: 'GET';
    readonly input: {
      readonly query?: {
        /** Which page; the first is 1. Default 1. */
        readonly page?: number;
        /** Events on a page. Default 1000. */
        readonly page_size?: number;
        /** Only of this user. */
        readonly user_id?: string;
        /** Only as this peer saw it. */
        readonly reporter_id?: string;
        /** Only of this IP protocol number. */
        readonly protocol?: number;
        /** Only flows with an event of this type: `TYPE_START`, `TYPE_END`, `TYPE_DROP`, `TYPE_UNKNOWN`. */
        readonly type?: string;
        /** `P2P` or `ROUTED`. */
        readonly connection_type?: string;
        /** `INGRESS`, `EGRESS` or `DIRECTION_UNKNOWN`. */
        readonly direction?: string;
        /** A part, in any case, of a user's email or of the name or address of source or destination. */
        readonly search?: string;
        /** Only from this time on, RFC 3339. */
        readonly start_date?: string;
        /** Only up to this time, RFC 3339. */
        readonly end_date?: string;
      };
    };
    readonly answer: NetworkTrafficPage;
  };
  /**
   * List requests that the reverse proxy served.
   *
   * `GET /api/events/proxy`
   */
  readonly listProxyAccessLogs: {
    readonly method: 'GET';
    readonly input: {
      readonly query?: {
        /** Which page; the first is 1. Default 1. */
        readonly page?: number;
        /** Entries on a page, at most 100. At most 100, default 50. */
        readonly page_size?: number;
        /**
         * `timestamp`, `url` (host, then path), `host`, `path`, `method`, `status_code`, `duration`, `source_ip`,
         * `user_id`, `auth_method` or `reason`. Default "timestamp".
         */
        readonly sort_by?: string;
        /** `asc` or `desc`. Default "desc". */
        readonly sort_order?: string;
        /** A part of the request id, host, path, source address, user email or user name. */
        readonly search?: string;
        /** Only from this address. */
        readonly source_ip?: string;
        /** Only to this host. */
        readonly host?: string;
        /** Only entries whose path contains this. */
        readonly path?: string;
        /** Only of this user. */
        readonly user_id?: string;
        /** Only entries whose email contains this. */
        readonly user_email?: string;
        /** Only entries whose name contains this. */
        readonly user_name?: string;
        /** Only of this HTTP method. */
        readonly method?: string;
        /** `success` for 2xx and 3xx, `failed` for everything else. */
        readonly status?: 'success' | 'failed';
        /** Only of this status. */
        readonly status_code?: number;
        /** Only from this time on, RFC 3339. */
        readonly start_date?: string;
        /** Only up to this time, RFC 3339. */
        readonly end_date?: string;
      };
    };
    readonly answer: ProxyAccessLogPage;
  };
}

/** The value of a new token; some servers wrap it in an object. */
export type PlainToken = string | { readonly [name: string]: string };

/** A personal access token, without its value. */
export interface Token {
  readonly id: string;
  readonly name: string;
  readonly expiration_date: Timestamp;
  /** Id of the user who created it. */
  readonly created_by: string;
  readonly created_at: Timestamp;
  /** Absent if it was never used. */
  readonly last_used?: Timestamp;
}

/** A new token, with its value. */
export interface RevealedToken {
  readonly plain_token: PlainToken;
  readonly personal_access_token: Token;
}

/** The writable fields of a token. */
export interface TokenRequest {
  /** Not empty. At least 1 character. */
  readonly name: string;
  /** Days until it ends. 1 to 365. */
  readonly expires_in: number;
}

/** The permissions of a user for one part of the account. */
export interface Rights {
  readonly read: boolean;
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
}

/** The permissions of a user, and whether they see only some peers. */
export interface Permissions {
  readonly is_restricted: boolean;
  readonly modules: {
    readonly networks: Rights;
    readonly peers: Rights;
  };
}

/** The fields of a user, of which some are in every response. */
export interface UserFields {
  readonly id: string;
  /** Empty for a service user. */
  readonly email: string;
  /** Only in the answer to a creation with the embedded identity provider. */
  readonly password?: string;
  readonly name: string;
  /** `owner`, `admin`, `user`, `billing_admin`, `auditor` or `network_admin`. */
  readonly role: string;
  /** `active`, `invited` or `blocked`. */
  readonly status: string;
  readonly last_login: Timestamp;
  /** Ids of the groups the user's peers join. */
  readonly auto_groups: readonly string[];
  /** Whether it is the user who calls. */
  readonly is_current: boolean;
  readonly is_service_user: boolean;
  /** Whether every call of the user is refused. */
  readonly is_blocked: boolean;
  readonly pending_approval: boolean;
  /** How the user came to be: `api`, or `integration`. */
  readonly issued: string;
  /** Id at the identity provider. */
  readonly idp_id?: string;
  readonly permissions?: Permissions;
}

/** A person or a service user. */
export interface User extends UserFields {
  /** Id at the identity provider. */
  readonly idp_id: string;
  readonly permissions: Permissions;
}

/** The user who calls, with their permissions. */
export interface CurrentUser extends User {
  readonly permissions: Permissions;
}

/** The fields of a new service user or an invited person. */
export interface UserRequest {
  /** Receives the invitation of a person. */
  readonly email?: string | null;
  readonly name?: string | null;
  /** `admin`, `user`, `billing_admin`, `auditor` or `network_admin`. */
  readonly role: string;
  /** Ids of the groups the user's peers join. */
  readonly auto_groups: readonly string[];
  readonly is_service_user: boolean;
}

/** The mutable fields of a user. */
export interface UserUpdateRequest {
  /** Only the owner can make another user the owner. */
  readonly role: string;
  /** Ids of groups; not All. */
  readonly auto_groups: readonly string[];
  readonly is_blocked: boolean;
}

/**
 * A password with an upper-case letter, a digit and a character that is neither letter nor digit. At least 8
 * characters, matches \p{Lu}, matches \p{Nd}, matches [^\p{L}\p{Nd}].
 */
export type Password = string;

/** The current password and the new one. */
export interface PasswordChangeRequest {
  readonly old_password: string;
  readonly new_password: Password;
}

/** An invite that nobody has accepted. */
export interface UserInvite {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  /** Ids of the groups the user's peers will join. */
  readonly auto_groups: readonly string[];
  readonly expires_at: Timestamp;
  readonly created_at: Timestamp;
  readonly expired: boolean;
  /** Only in the answer to a creation. */
  readonly invite_token?: string;
}

/** Whom to invite, and as what. */
export interface UserInviteRequest {
  /** Not empty. At least 1 character. */
  readonly email: string;
  /** Not empty. At least 1 character. */
  readonly name: string;
  /** Not `owner`. */
  readonly role: string;
  /** Ids of the groups the user's peers will join. */
  readonly auto_groups: readonly string[];
  /** Lifetime in seconds; by default 72 hours. Default 259200. */
  readonly expires_in?: number | null;
}

/** The public data of an invite. */
export interface PublicInvite {
  readonly email: string;
  readonly name: string;
  readonly expires_at: Timestamp;
  readonly valid: boolean;
  readonly invited_by: string;
}

/** How long the new token is to last. */
export interface InviteRegenerationRequest {
  /** Lifetime in seconds; by default 72 hours. Default 259200. */
  readonly expires_in?: number | null;
}

/** The new token of an invite. */
export interface RegeneratedInvite {
  readonly invite_token: string;
  readonly invite_expires_at: Timestamp;
}

/** The password of the user to be. */
export interface InviteAcceptanceRequest {
  readonly password: Password;
}

/** Whether the invite was accepted. */
export interface InviteAccepted {
  readonly success: boolean;
}

/** A network. All lists are computed. */
export interface Network {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Ids of the routers. */
  readonly routers: readonly string[];
  /** Peers that route into the network. Volatile. */
  readonly routing_peers_count: number;
  /** Ids of the resources. */
  readonly resources: readonly string[];
  /** Ids of the enabled policies that lead to a resource of the network. */
  readonly policies: readonly string[];
}

/** The writable fields of a network. */
export interface NetworkRequest {
  readonly name: string;
  readonly description?: string | null;
}

/** Something that is reachable in a network. */
export interface NetworkResource {
  readonly id: string;
  /** Derived from the address: `host`, `subnet` or `domain`. */
  readonly type: string;
  readonly name: string;
  readonly description: string;
  /** The address in its canonical form; a single host reads as a /32 or /128. */
  readonly address: string;
  readonly enabled: boolean;
  readonly groups: readonly GroupSummary[];
}

/** The writable fields of a network resource. */
export interface NetworkResourceRequest {
  /** Unique in the account. */
  readonly name: string;
  readonly description?: string | null;
  /** A host (10.0.0.5 or 10.0.0.5/32), a subnet in CIDR notation, or a domain; `*.` may lead it. */
  readonly address: string;
  readonly enabled: boolean;
  /** Ids of the groups the resource is in. */
  readonly groups: readonly string[];
}

/** A peer, or all peers of some groups, that lead into a network. */
export interface NetworkRouter {
  readonly id: string;
  /** Id of the routing peer; empty where groups route. */
  readonly peer: string;
  /** Ids of the routing groups. */
  readonly peer_groups: readonly string[];
  /** The lower number wins. */
  readonly metric: number;
  readonly masquerade: boolean;
  readonly enabled: boolean;
}

/**
 * The writable fields of a network router, with either `peer` or `peer_groups`. `peer` and `peer_groups` exclude each
 * other.
 */
export interface NetworkRouterRequest {
  /** Id of the routing peer. */
  readonly peer?: string | null;
  /** Ids of the routing groups. */
  readonly peer_groups?: readonly string[];
  /** The lower number wins. 1 to 9999. */
  readonly metric: number;
  readonly masquerade: boolean;
  readonly enabled: boolean;
}

/** The local configuration of the peer. */
export interface LocalFlags {
  readonly pqkex_enabled?: boolean;
  readonly pqkex_permissive?: boolean;
  readonly server_ssh_allowed?: boolean;
  readonly disable_client_routes?: boolean;
  readonly disable_server_routes?: boolean;
  readonly disable_dns?: boolean;
  readonly disable_firewall?: boolean;
  readonly block_lan_access?: boolean;
  readonly block_inbound?: boolean;
  readonly lazy_connection_enabled?: boolean;
}

/** An enrolled machine. The machine reports most of the fields itself. */
export interface Peer {
  readonly id: string;
  readonly name: string;
  readonly hostname: string;
  /** The full domain name of the peer in the overlay network. */
  readonly dns_label: string;
  /** The address in the overlay network. */
  readonly ip: string;
  /** The IPv6 address in the overlay network. Only servers of the dialect `netbird` have it. */
  readonly ipv6?: string;
  /** The address the peer connects from. */
  readonly connection_ip: string;
  readonly created_at: Timestamp;
  readonly last_seen: Timestamp;
  readonly last_login: Timestamp;
  readonly connected: boolean;
  readonly os: string;
  readonly kernel_version: string;
  readonly version: string;
  readonly ui_version: string;
  readonly serial_number: string;
  readonly geoname_id: number;
  readonly country_code: string;
  readonly city_name: string;
  readonly groups: readonly GroupSummary[];
  readonly ssh_enabled: boolean;
  /** The owner; empty for a peer that joined with a setup key. */
  readonly user_id: string;
  readonly login_expiration_enabled: boolean;
  readonly login_expired: boolean;
  readonly inactivity_expiration_enabled: boolean;
  /** Cloud only. */
  readonly approval_required: boolean;
  /** Why approval is required. Cloud only. */
  readonly disapproval_reason?: string;
  readonly extra_dns_labels: readonly string[];
  readonly ephemeral: boolean;
  readonly local_flags: LocalFlags;
}

/** A peer as the list shows it. */
export interface ListedPeer extends Peer {
  readonly accessible_peers_count: number;
}

/** The writable fields of a peer. */
export interface PeerRequest {
  /** Not empty. At least 1 character. */
  readonly name: string;
  readonly ssh_enabled: boolean;
  readonly login_expiration_enabled: boolean;
  readonly inactivity_expiration_enabled: boolean;
  /** Cloud only. */
  readonly approval_required?: boolean | null;
  /** A free address of the account's overlay network. */
  readonly ip?: string | null;
  /** A free address of the account's IPv6 overlay network. Only servers of the dialect `netbird` read it. */
  readonly ipv6?: string | null;
}

/** A peer as those see it who can connect to it. */
export interface AccessiblePeer {
  readonly id: string;
  readonly name: string;
  readonly ip: string;
  /** Only from servers of the dialect `netbird`. */
  readonly ipv6?: string;
  readonly dns_label: string;
  readonly user_id: string;
  readonly os: string;
  readonly country_code: string;
  readonly city_name: string;
  readonly geoname_id: number;
  readonly connected: boolean;
  readonly last_seen: Timestamp;
}

/** Who is to reach the peer, and how. */
export interface TemporaryAccessRequest {
  /** Host name of the peer to be. At least 1 character. */
  readonly name: string;
  /** Its public key. */
  readonly wg_pub_key: string;
  /** Each a protocol and a port, with a slash between them. */
  readonly rules: readonly string[];
}

/** The created peer, and what it may reach. */
export interface TemporaryAccess {
  readonly name: string;
  readonly id: string;
  readonly rules: readonly string[];
}

/** The content of a support bundle. */
export interface BundleParameters {
  /** Whether to wait first. */
  readonly bundle_for: boolean;
  /** Minutes to wait, 1 to 5. */
  readonly bundle_for_time: number;
  /** How many log files, 1 to 1000. */
  readonly log_file_count: number;
  readonly anonymize: boolean;
}

/** The destination of a support bundle. */
export interface BundleResult {
  readonly upload_key: string;
}

/** A task of a peer, and its result. */
export interface Workload {
  /** `bundle`. */
  readonly type: string;
  readonly parameters: BundleParameters;
  readonly result?: BundleResult;
}

/** A task for a peer. */
export interface WorkloadRequest {
  readonly type: 'bundle';
  readonly parameters: BundleParameters;
}

/** Work that a peer was asked to do. */
export interface Job {
  readonly id: string;
  readonly created_at: Timestamp;
  readonly completed_at: Timestamp | null;
  /** Id of the user who asked. */
  readonly triggered_by: string;
  /** `pending`, `succeeded` or `failed`. */
  readonly status: string;
  readonly failed_reason: string | null;
  readonly workload: Workload;
}

/** A task for a peer. */
export interface JobRequest {
  readonly workload: WorkloadRequest;
}

/** Ports that the internet sees, and those of the peer that they lead to. */
export interface PortRangeMapping {
  readonly translated_start: number;
  readonly translated_end: number;
  readonly ingress_start: number;
  readonly ingress_end: number;
  /** `tcp`, `udp` or `tcp/udp`. */
  readonly protocol: string;
}

/** Ports of a peer that are reachable from the internet. */
export interface IngressPortAllocation {
  readonly id: string;
  readonly name: string;
  /** Id of the ingress peer that accepts the traffic. */
  readonly ingress_peer_id: string;
  readonly region: string;
  /** The address that the internet sees. */
  readonly ingress_ip: string;
  readonly enabled: boolean;
  readonly port_range_mappings: readonly PortRangeMapping[];
}

/** The traffic through a port. */
export type IngressProtocol = 'tcp' | 'udp' | 'tcp/udp';

/** Ports of the peer from start to end, both included. */
export interface IngressPortRange {
  readonly start: number;
  readonly end: number;
  readonly protocol: IngressProtocol;
}

/** A number of ports that are the same on both sides. */
export interface DirectPort {
  readonly count: number;
  readonly protocol: IngressProtocol;
}

/**
 * The writable fields of a port allocation, with either `port_ranges` or `direct_port`. `port_ranges` and `direct_port`
 * exclude each other.
 */
export interface IngressPortAllocationRequest {
  readonly name: string;
  readonly enabled: boolean;
  /** At least 1 entry. */
  readonly port_ranges?: readonly IngressPortRange[];
  readonly direct_port?: DirectPort;
}

/** How many ports an ingress peer has left. */
export interface AvailablePorts {
  readonly tcp: number;
  readonly udp: number;
}

/** A peer that accepts traffic from the internet. */
export interface IngressPeer {
  readonly id: string;
  readonly peer_id: string;
  readonly ingress_ip: string;
  readonly available_ports: AvailablePorts;
  readonly enabled: boolean;
  readonly connected: boolean;
  /** Whether it serves regions that have no ingress peer of their own. */
  readonly fallback: boolean;
  readonly region: string;
}

/** Which peer is to let traffic in. */
export interface IngressPeerRequest {
  readonly peer_id: string;
  readonly enabled: boolean;
  /** Whether it serves regions that have no ingress peer of their own. */
  readonly fallback: boolean;
}

/** The mutable fields of an ingress peer. */
export interface IngressPeerUpdateRequest {
  readonly enabled: boolean;
  /** Whether it serves regions that have no ingress peer of their own. */
  readonly fallback: boolean;
}

/** A group as other records show it. The counts are volatile. */
export interface GroupSummary {
  readonly id: string;
  readonly name: string;
  readonly peers_count: number;
  readonly resources_count: number;
  /** How the group came to be: `api`, or by an integration or sign-in. */
  readonly issued?: string;
}

/** A peer as its groups show it. */
export interface GroupPeer {
  readonly id: string;
  readonly name: string;
}

/** A pointer to a network resource or a peer. */
export interface ResourceReference {
  readonly id: string;
  /**
   * `host`, `subnet`, `domain` or `peer`. In a group it is the type at the time of joining, which may since have
   * changed.
   */
  readonly type: string;
}

/** A group with its members. */
export interface Group extends GroupSummary {
  readonly peers: readonly GroupPeer[];
  readonly resources: readonly ResourceReference[];
}

/** The writable fields of a group. */
export interface GroupRequest {
  /** Not empty; compared letter by letter. At least 1 character. */
  readonly name: string;
  /** Ids of the peers in the group. Ids that are unknown are kept but never shown. */
  readonly peers?: readonly string[];
  /** Network resources in the group. */
  readonly resources?: readonly ResourceReference[];
}

/**
 * A route. It cannot be sent back as it is read: `peer` is there, empty, where groups route, and a route by domains
 * reads a `network` that stands for nothing.
 */
export interface Route {
  readonly id: string;
  /** `IPv4`, `IPv6` or `Domain`. */
  readonly network_type: string;
  readonly description: string;
  /** Routes with the same id are alternatives. */
  readonly network_id: string;
  readonly enabled: boolean;
  /** Id of the routing peer; empty where groups route. */
  readonly peer: string;
  /** Only where groups route. */
  readonly peer_groups?: readonly string[];
  /** The range with its host bits cleared; a placeholder where domains route. */
  readonly network: string;
  /** In lower case and Unicode. */
  readonly domains: readonly string[];
  readonly metric: number;
  readonly masquerade: boolean;
  /** Ids of the groups that receive the route. */
  readonly groups: readonly string[];
  readonly keep_route: boolean;
  /** Absent if there are none. */
  readonly access_control_groups?: readonly string[];
  readonly skip_auto_apply: boolean;
}

/**
 * The writable fields of a route, with either `peer` or `peer_groups` and either `network` or `domains`. `peer` and
 * `peer_groups` exclude each other. `network` and `domains` exclude each other.
 */
export interface RouteRequest {
  readonly description: string;
  /** 1 to 40 characters. */
  readonly network_id: string;
  readonly enabled: boolean;
  /** Id of the routing peer. */
  readonly peer?: string | null;
  /** Ids of the routing groups. */
  readonly peer_groups?: readonly string[];
  /** A range in CIDR notation. */
  readonly network?: string | null;
  /** Domains that are resolved again and again; a leading `*.` is allowed. 1 to 32 entries. */
  readonly domains?: readonly string[];
  /** The lower number wins. 1 to 9999. */
  readonly metric: number;
  readonly masquerade: boolean;
  /** Ids of the groups that receive the route. At least 1 entry. */
  readonly groups: readonly string[];
  /** Whether the route to an address stays once the domain no longer resolves to it. */
  readonly keep_route: boolean;
  readonly access_control_groups?: readonly string[];
  /** For an exit node (0.0.0.0/0), whether clients leave the route off by themselves. */
  readonly skip_auto_apply?: boolean | null;
}

/** A key by which machines enrol. */
export interface SetupKey {
  readonly id: number;
  readonly name: string;
  /** `one-off` or `reusable`. */
  readonly type: string;
  /** The year 1 for a key that never ends. */
  readonly expires: Timestamp;
  /** Whether a machine can enrol with it. */
  readonly valid: boolean;
  readonly revoked: boolean;
  readonly used_times: number;
  readonly last_used: Timestamp;
  /** `valid`, `expired`, `revoked` or `overused`. */
  readonly state: string;
  /** Ids of the groups that its peers join. */
  readonly auto_groups: readonly string[];
  readonly updated_at: Timestamp;
  /** 0 for any number of times; 1 for a one-off key. */
  readonly usage_limit: number;
  /** Whether its peers are removed once they are gone for a while. */
  readonly ephemeral: boolean;
  /** Whether its peers may have additional DNS labels. */
  readonly allow_extra_dns_labels: boolean;
  /** Masked except for its first characters; unmasked in the response to its creation. */
  readonly key: string;
}

/** The writable fields of a setup key. */
export interface SetupKeyRequest {
  /** Not empty. At least 1 character. */
  readonly name: string;
  readonly type: 'one-off' | 'reusable';
  /** Seconds until it ends. 86400 to 31536000, in dialect netbird at least 0. */
  readonly expires_in: number;
  /** Ids of groups; not All. */
  readonly auto_groups: readonly string[];
  /** 0 for any number of times. */
  readonly usage_limit: number;
  readonly ephemeral?: boolean | null;
  readonly allow_extra_dns_labels?: boolean | null;
}

/** The mutable fields of a setup key. */
export interface SetupKeyUpdateRequest {
  /** A revoked key cannot be restored. */
  readonly revoked: boolean;
  /** Ids of groups; not All. */
  readonly auto_groups: readonly string[];
}

/** An identity provider, without its secret. */
export interface IdentityProvider {
  readonly id: string;
  /** `oidc`, `zitadel`, `entra`, `google`, `okta`, `pocketid`, `microsoft`, `authentik`, `keycloak` or `adfs`. */
  readonly type: string;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
}

/** The writable fields of an identity provider. */
export interface IdentityProviderRequest {
  /** Cannot be changed. */
  readonly type: string;
  /** Not empty. At least 1 character. */
  readonly name: string;
  /** URL of the OIDC issuer. */
  readonly issuer: string;
  /** Not empty. At least 1 character. */
  readonly client_id: string;
  readonly client_secret: string;
}

/** Ports from start to end, both included. */
export interface PortRange {
  readonly start: number;
  readonly end: number;
}

/** For each group of users the local users they may sign in as. */
export type AuthorizedGroups = { readonly [name: string]: readonly string[] };

/** One rule of a policy. Each side is either groups or one resource. */
export interface PolicyRule {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  /** `accept` or `drop`. */
  readonly action: string;
  readonly bidirectional: boolean;
  /** `all`, `tcp`, `udp`, `icmp` or `netbird-ssh`. */
  readonly protocol: string;
  readonly ports?: readonly string[];
  readonly port_ranges?: readonly PortRange[];
  readonly authorized_groups?: AuthorizedGroups;
  readonly sources?: readonly GroupSummary[];
  readonly sourceResource?: ResourceReference;
  readonly destinations?: readonly GroupSummary[];
  readonly destinationResource?: ResourceReference;
}

/** A set of rules about who may reach what. */
export interface Policy {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  /** Ids of the posture checks a source must pass. */
  readonly source_posture_checks: readonly string[];
  readonly rules: readonly PolicyRule[];
}

/** The network resource or the peer that is one side of a rule, in place of groups. */
export interface RuleResourceRequest {
  readonly id: string;
  /** `host`, `subnet`, `domain` or `peer`. */
  readonly type: string;
}

/** The writable fields of a rule. Each side is either groups or one resource. */
export interface PolicyRuleRequest {
  /** The id of the rule this one replaces; ignored on creation. */
  readonly id?: string | null;
  readonly name: string;
  readonly description?: string | null;
  readonly enabled: boolean;
  readonly action: 'accept' | 'drop';
  /** Whether the destinations may reach the sources as well. */
  readonly bidirectional: boolean;
  readonly protocol: 'all' | 'tcp' | 'udp' | 'icmp' | 'netbird-ssh';
  /** Port numbers as text; not with `port_ranges`. */
  readonly ports?: readonly string[];
  readonly port_ranges?: readonly PortRange[];
  readonly authorized_groups?: AuthorizedGroups;
  /** Ids of groups. */
  readonly sources?: readonly string[];
  readonly sourceResource?: RuleResourceRequest;
  /** Ids of groups. */
  readonly destinations?: readonly string[];
  readonly destinationResource?: RuleResourceRequest;
}

/** The writable fields of a policy. */
export interface PolicyRequest {
  /** Not empty. At least 1 character. */
  readonly name: string;
  readonly description?: string | null;
  readonly enabled: boolean;
  /** Ids of the posture checks a source must pass. */
  readonly source_posture_checks?: readonly string[];
  /** At least one. At least 1 entry. */
  readonly rules: readonly PolicyRuleRequest[];
}

/** The lowest version that passes. */
export interface MinVersion {
  /** At least 1 character. */
  readonly min_version: string;
}

/** The lowest kernel version that passes. */
export interface MinKernelVersion {
  /** At least 1 character. */
  readonly min_kernel_version: string;
}

/** The lowest version for each operating system; a peer of any other does not pass. */
export interface OsVersionCheck {
  readonly android?: MinVersion;
  readonly ios?: MinVersion;
  readonly darwin?: MinVersion;
  readonly linux?: MinKernelVersion;
  readonly windows?: MinKernelVersion;
}

/** Whether the listed entries are allowed, or all others. */
export type CheckAction = 'allow' | 'deny';

/** A country, or one of its cities. */
export interface Location {
  /** ISO 3166-1 alpha-2. Matches ^[A-Za-z]{2}$. */
  readonly country_code: string;
  /** The English name of a city. */
  readonly city_name?: string | null;
}

/** The location of the peer. */
export interface GeoLocationCheck {
  /** At least 1 entry. */
  readonly locations: readonly Location[];
  readonly action: CheckAction;
}

/** Which networks the peer itself is in. */
export interface PeerNetworkRangeCheck {
  /** Ranges in CIDR notation. At least 1 entry. */
  readonly ranges: readonly string[];
  readonly action: CheckAction;
}

/** The paths of one program on the operating systems it runs on. */
export interface Process {
  readonly linux_path?: string | null;
  readonly mac_path?: string | null;
  readonly windows_path?: string | null;
}

/** Programs that must be running. */
export interface ProcessCheck {
  /** At least 1 entry. */
  readonly processes: readonly Process[];
}

/** The checks a peer must pass, all of them. */
export interface Checks {
  readonly nb_version_check?: MinVersion;
  readonly os_version_check?: OsVersionCheck;
  readonly geo_location_check?: GeoLocationCheck;
  readonly peer_network_range_check?: PeerNetworkRangeCheck;
  readonly process_check?: ProcessCheck;
}

/** A named set of checks that policies refer to. */
export interface PostureCheck {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly checks: Checks;
}

/** The writable fields of a posture check. */
export interface PostureCheckRequest {
  /** Not empty. At least 1 character. */
  readonly name: string;
  readonly description: string;
  readonly checks?: Checks;
}

/** A group of users who may enter a tenant, and the role they have there. */
export interface TenantGroup {
  /** Id of a group of the provider's own account. */
  readonly id: string;
  readonly role: string;
}

/** An account that a managed service provider looks after. */
export interface MspTenant {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly groups: readonly TenantGroup[];
  readonly activated_at: Timestamp;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly invited_at: Timestamp;
  /** The DNS record that verifies the domain. */
  readonly dns_challenge: string;
  /** `pending`, `existing`, `invited` or `active`. */
  readonly status: string;
}

/** The writable fields of a tenant. */
export interface MspTenantRequest {
  readonly name: string;
  readonly domain: string;
  readonly groups: readonly TenantGroup[];
}

/** The mutable fields of a tenant. */
export interface MspTenantUpdateRequest {
  readonly name: string;
  readonly groups: readonly TenantGroup[];
}

/** Whom the account is left to. */
export interface MspTenantUnlinkRequest {
  /** Id of the user who becomes its owner. */
  readonly owner: string;
}

/** The subscription. */
export interface MspTenantSubscriptionRequest {
  readonly priceID: string;
}

/** The answer of the invited account. */
export interface MspTenantInviteAnswerRequest {
  readonly value: 'accept' | 'decline';
}

/** The common fields of the integrations of all four providers. */
export interface EdrIntegration {
  readonly id: number;
  readonly account_id: string;
  /** Id of the user who created it. */
  readonly created_by: string;
  readonly last_synced_at: Timestamp;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly groups: readonly Group[];
  /** Hours. */
  readonly last_synced_interval: number;
  readonly enabled: boolean;
}

/** The common fields of requests for integrations. */
export interface EdrRequest {
  /** Ids of the groups whose peers must be sound. */
  readonly groups: readonly string[];
  /** Default true. */
  readonly enabled?: boolean | null;
}

/** Hours after which the data of the provider is out of date. At least 24. */
export type EdrInterval = number;

/** The conditions of provider A for a machine. */
export interface EdrProviderAMatch {
  /** At most so many. */
  readonly active_threats?: number | null;
  readonly encrypted_applications?: boolean | null;
  readonly firewall_enabled?: boolean | null;
  readonly infected?: boolean | null;
  readonly is_active?: boolean | null;
  readonly is_up_to_date?: boolean | null;
  readonly network_status?: 'connected' | 'disconnected' | 'quarantined' | 'null';
  readonly operational_state?: string | null;
}

/** The integration of provider A, without its secrets. */
export interface EdrProviderA extends EdrIntegration {
  readonly api_url: string;
  readonly match_attributes: EdrProviderAMatch;
}

/** The writable fields of the integration of provider A. */
export interface EdrProviderARequest extends EdrRequest {
  readonly api_token: string;
  /** The URL of the API of the provider. */
  readonly api_url: string;
  readonly last_synced_interval: EdrInterval;
  readonly match_attributes: EdrProviderAMatch;
}

/** The integration of provider B, without its secret. */
export interface EdrProviderB extends EdrIntegration {
  readonly client_id: string;
  readonly tenant_id: string;
}

/** The writable fields of the integration of provider B. */
export interface EdrProviderBRequest extends EdrRequest {
  readonly client_id: string;
  readonly tenant_id: string;
  readonly secret: string;
  readonly last_synced_interval: EdrInterval;
}

/** The conditions of provider C for a machine. */
export interface EdrProviderCMatch {
  readonly defender_policy_status?: string | null;
  readonly defender_status?: string | null;
  readonly defender_substatus?: string | null;
  readonly firewall_status?: 'Disabled' | 'Enabled' | 'Pending Isolation' | 'Isolated' | 'Pending Release' | 'null';
}

/** The integration of provider C, without its secrets. */
export interface EdrProviderC extends EdrIntegration {
  readonly match_attributes: EdrProviderCMatch;
}

/** The writable fields of the integration of provider C. */
export interface EdrProviderCRequest extends EdrRequest {
  readonly api_key: string;
  readonly api_secret: string;
  readonly last_synced_interval: EdrInterval;
  readonly match_attributes: EdrProviderCMatch;
}

/** The integration of provider D, without its secrets. */
export interface EdrProviderD extends EdrIntegration {
  readonly cloud_id: string;
  readonly zta_score_threshold: number;
}

/** The writable fields of the integration of provider D. */
export interface EdrProviderDRequest extends EdrRequest {
  readonly client_id: string;
  readonly secret: string;
  /** Which cloud of the provider the account is in. */
  readonly cloud_id: string;
  /** The lowest score that passes. 0 to 100. */
  readonly zta_score_threshold: number;
}

/** Which part of a directory is synchronised. */
export interface DirectoryScope {
  /** Name prefixes of the groups to synchronise; all groups if empty. */
  readonly group_prefixes?: readonly string[];
  /** Name prefixes of the groups whose users are synchronised; all users if empty. */
  readonly user_group_prefixes?: readonly string[];
  /** The connector of an embedded identity provider. */
  readonly connector_id?: string | null;
}

/** The common fields of integrations with a directory. */
export interface DirectoryIntegration extends DirectoryScope {
  readonly id: number;
  readonly enabled: boolean;
  readonly group_prefixes: readonly string[];
  readonly user_group_prefixes: readonly string[];
  readonly connector_id: string;
  readonly last_synced_at: Timestamp;
}

/** A directory that sends its users and groups by SCIM. */
export interface ScimIntegration extends DirectoryIntegration {
  readonly prefix: string;
  readonly provider: string;
  /** Masked; unmasked in the response to its creation. */
  readonly auth_token: string;
}

/** The writable fields of a SCIM integration. */
export interface ScimIntegrationRequest extends DirectoryScope {
  readonly prefix: string;
  /** Cannot be changed. */
  readonly provider: string;
}

/** The changed fields of a SCIM integration. */
export interface ScimIntegrationUpdateRequest extends DirectoryScope {
  readonly enabled?: boolean | null;
  readonly prefix?: string | null;
}

/** The new token of a SCIM integration. */
export interface ScimToken {
  readonly auth_token: string;
}

/** Seconds from one synchronisation to the next. At least 300, default 300. */
export type SyncInterval = number;

/** Seconds from one synchronisation to the next. At least 300, default 300. */
export type SyncIntervalRequest = number | null;

/** The common fields of the integrations of both directory providers. */
export interface DirectorySync extends DirectoryIntegration {
  readonly sync_interval: SyncInterval;
}

/** An integration of directory A, without its secret. */
export interface DirectorySyncA extends DirectorySync {
  readonly client_id: string;
  readonly tenant_id: string;
  readonly host: string;
}

/** The writable fields of an integration of directory A. */
export interface DirectorySyncARequest extends DirectoryScope {
  /** Base64. */
  readonly client_secret: string;
  readonly client_id: string;
  readonly tenant_id: string;
  /** Domain of the directory's API. Cannot be changed. */
  readonly host: string;
  readonly sync_interval?: SyncIntervalRequest;
}

/** The changed fields of an integration of directory A. */
export interface DirectorySyncAUpdateRequest extends DirectoryScope {
  readonly enabled?: boolean | null;
  /** Base64. */
  readonly client_secret?: string | null;
  readonly client_id?: string | null;
  readonly tenant_id?: string | null;
  readonly sync_interval?: SyncIntervalRequest;
}

/** An integration of directory B, without its key. */
export interface DirectorySyncB extends DirectorySync {
  readonly customer_id: string;
}

/** The writable fields of an integration of directory B. */
export interface DirectorySyncBRequest extends DirectoryScope {
  /** Base64. */
  readonly service_account_key: string;
  readonly customer_id: string;
  readonly sync_interval?: SyncIntervalRequest;
}

/** The changed fields of an integration of directory B. */
export interface DirectorySyncBUpdateRequest extends DirectoryScope {
  readonly enabled?: boolean | null;
  /** Base64. */
  readonly service_account_key?: string | null;
  readonly customer_id?: string | null;
  readonly sync_interval?: SyncIntervalRequest;
}

/** How a synchronisation went. */
export interface SyncResult {
  readonly result: string;
}

/** One thing that an integration has logged. */
export interface SyncLog {
  readonly id: number;
  readonly level: string;
  readonly timestamp: Timestamp;
  readonly message: string;
}

/** The target of an email channel. */
export interface EmailTarget {
  readonly emails: readonly string[];
}

/** The target of a webhook channel. The values of headers are masked when read. */
export interface WebhookTarget {
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
}

/** The target of a channel; its fields depend on the type. */
export type ChannelTarget = EmailTarget | WebhookTarget;

/** The target of a channel in a request; its fields depend on the type. */
export type ChannelTargetRequest = EmailTarget | WebhookTarget | null;

/** A channel that receives events. */
export interface NotificationChannel {
  readonly id: string;
  /** `email` or `webhook`. */
  readonly type: string;
  readonly target: ChannelTarget;
  readonly event_types: readonly string[];
  readonly enabled: boolean;
}

/** The writable fields of a notification channel. */
export interface NotificationChannelRequest {
  readonly type: 'email' | 'webhook';
  readonly target?: ChannelTargetRequest;
  /** Codes that the operation listNotificationTypes lists. */
  readonly event_types: readonly string[];
  readonly enabled: boolean;
}

/** A platform that events are forwarded to. */
export interface EventStream {
  readonly id: number;
  readonly account_id: string;
  readonly enabled: boolean;
  /** `datadog`, `s3`, `firehose` or `generic_http`. */
  readonly platform: string;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  /** Secrets are masked. */
  readonly config: { readonly [name: string]: string };
}

/** The writable fields of an event streaming integration. */
export interface EventStreamRequest {
  /** `datadog`, `s3`, `firehose` or `generic_http`. */
  readonly platform: string;
  /** Credentials and settings, as the platform wants them. */
  readonly config: { readonly [name: string]: string };
  readonly enabled: boolean;
}

/** An event in the audit log of the account. */
export interface AuditEvent {
  readonly id: number;
  readonly timestamp: Timestamp;
  readonly activity: string;
  readonly activity_code: string;
  /** The user or system that caused the event; `sys` for the server itself. */
  readonly initiator_id: string;
  readonly initiator_name: string;
  readonly initiator_email: string;
  readonly target_id: string;
  /** Details of the event, for people. */
  readonly meta: { readonly [name: string]: string };
}

/** A flow between two ends, as one of them saw it. */
export type NetworkTrafficEvent = {
};

/** One request that the reverse proxy served. */
export interface ProxyAccessLog {
  readonly id: string;
  readonly service_id: string;
  readonly timestamp: Timestamp;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly duration_ms: number;
  readonly status_code: number;
  readonly source_ip: string;
  readonly reason: string;
  readonly user_id: string;
  readonly auth_method_used: string;
  readonly country_code: string;
  readonly city_name: string;
  readonly subdivision_code: string;
  readonly bytes_upload: number;
  readonly bytes_download: number;
  readonly protocol: string;
}

/** Which page of how many. */
export interface Page {
  readonly page: number;
  readonly page_size: number;
  readonly total_records: number;
  readonly total_pages: number;
}

/** One page of network traffic events. */
export interface NetworkTrafficPage extends Page {
  /** In order. */
  readonly data: readonly NetworkTrafficEvent[];
}

/** One page of the access log. */
export interface ProxyAccessLogPage extends Page {
  /** In order. */
  readonly data: readonly ProxyAccessLog[];
}

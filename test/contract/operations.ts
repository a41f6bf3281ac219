// The operations that the contract must have, one a line, in the order of the specification: method, path, and where the
// specification only names it. Placeholders are named as there.
const ROWS = `
GET    /api/users/{userId}/tokens
POST   /api/users/{userId}/tokens
GET    /api/users/{userId}/tokens/{tokenId}
DELETE /api/users/{userId}/tokens/{tokenId}
GET    /api/users
POST   /api/users
PUT    /api/users/{userId}
DELETE /api/users/{userId}
POST   /api/users/{userId}/invite
POST   /api/users/{userId}/approve
DELETE /api/users/{userId}/reject
PUT    /api/users/{userId}/password
GET    /api/users/current
GET    /api/users/invites
POST   /api/users/invites
DELETE /api/users/invites/{inviteId}
POST   /api/users/invites/{inviteId}/regenerate
GET    /api/users/invites/{token}
POST   /api/users/invites/{token}/accept
GET    /api/networks
POST   /api/networks
GET    /api/networks/{networkId}
PUT    /api/networks/{networkId}
DELETE /api/networks/{networkId}
GET    /api/networks/{networkId}/resources
POST   /api/networks/{networkId}/resources
GET    /api/networks/{networkId}/resources/{resourceId}
PUT    /api/networks/{networkId}/resources/{resourceId}
DELETE /api/networks/{networkId}/resources/{resourceId}
GET    /api/networks/{networkId}/routers
POST   /api/networks/{networkId}/routers
GET    /api/networks/{networkId}/routers/{routerId}
PUT    /api/networks/{networkId}/routers/{routerId}
GET    /api/peers
GET    /api/peers/{peerId}
PUT    /api/peers/{peerId}
DELETE /api/peers/{peerId}
GET    /api/peers/{peerId}/accessible-peers
POST   /api/peers/{peerId}/temporary-access
GET    /api/peers/{peerId}/jobs
POST   /api/peers/{peerId}/jobs
GET    /api/peers/{peerId}/jobs/{jobId}
GET    /api/peers/{peerId}/ingress/ports
POST   /api/peers/{peerId}/ingress/ports
GET    /api/peers/{peerId}/ingress/ports/{allocationId}
PUT    /api/peers/{peerId}/ingress/ports/{allocationId}
DELETE /api/peers/{peerId}/ingress/ports/{allocationId}
GET    /api/ingress/peers
POST   /api/ingress/peers
GET    /api/ingress/peers/{ingressPeerId}
PUT    /api/ingress/peers/{ingressPeerId}
DELETE /api/ingress/peers/{ingressPeerId}
GET    /api/groups
POST   /api/groups
GET    /api/groups/{groupId}
PUT    /api/groups/{groupId}
DELETE /api/groups/{groupId}
GET    /api/routes
POST   /api/routes
GET    /api/routes/{routeId}
PUT    /api/routes/{routeId}
DELETE /api/routes/{routeId}
GET    /api/setup-keys
POST   /api/setup-keys
GET    /api/setup-keys/{keyId}
PUT    /api/setup-keys/{keyId}
DELETE /api/setup-keys/{keyId}
GET    /api/identity-providers
POST   /api/identity-providers
GET    /api/identity-providers/{idpId}
PUT    /api/identity-providers/{idpId}
DELETE /api/identity-providers/{idpId}
GET    /api/policies
POST   /api/policies
GET    /api/policies/{policyId}
PUT    /api/policies/{policyId}
GET    /api/posture-checks
POST   /api/posture-checks
GET    /api/posture-checks/{postureCheckId}
PUT    /api/posture-checks/{postureCheckId}
GET    /api/integrations/msp/tenants
POST   /api/integrations/msp/tenants
PUT    /api/integrations/msp/tenants/{id}
POST   /api/integrations/msp/tenants/{id}/unlink
POST   /api/integrations/msp/tenants/{id}/dns
POST   /api/integrations/msp/tenants/{id}/subscription
POST   /api/integrations/msp/tenants/{id}/invite
PUT    /api/integrations/msp/tenants/{id}/invite
POST   /api/integrations/edr/edr-provider-a
GET    /api/integrations/edr/edr-provider-a
PUT    /api/integrations/edr/edr-provider-a
POST   /api/integrations/edr/edr-provider-b
GET    /api/integrations/edr/edr-provider-b
PUT    /api/integrations/edr/edr-provider-b
DELETE /api/integrations/edr/edr-provider-b
POST   /api/integrations/edr/edr-provider-c
GET    /api/integrations/edr/edr-provider-c
PUT    /api/integrations/edr/edr-provider-c
DELETE /api/integrations/edr/edr-provider-c
POST   /api/integrations/edr/edr-provider-d
GET    /api/integrations/edr/edr-provider-d
PUT    /api/integrations/edr/edr-provider-d
DELETE /api/integrations/edr/edr-provider-d
POST   /api/integrations/scim-idp
GET    /api/integrations/scim-idp
GET    /api/integrations/scim-idp/{id}
PUT    /api/integrations/scim-idp/{id}
DELETE /api/integrations/scim-idp/{id}
POST   /api/integrations/scim-idp/{id}/token
GET    /api/integrations/scim-idp/{id}/logs
POST   /api/integrations/idp-sync-a
GET    /api/integrations/idp-sync-a
GET    /api/integrations/idp-sync-a/{id}
PUT    /api/integrations/idp-sync-a/{id}
DELETE /api/integrations/idp-sync-a/{id}
POST   /api/integrations/idp-sync-a/{id}/sync
GET    /api/integrations/idp-sync-a/{id}/logs
POST   /api/integrations/idp-sync-b
GET    /api/integrations/idp-sync-b
GET    /api/integrations/idp-sync-b/{id}
PUT    /api/integrations/idp-sync-b/{id}
DELETE /api/integrations/idp-sync-b/{id}
POST   /api/integrations/idp-sync-b/{id}/sync
GET    /api/integrations/idp-sync-b/{id}/logs
GET    /api/integrations/notifications/types
GET    /api/integrations/notifications/channels
POST   /api/integrations/notifications/channels
GET    /api/integrations/notifications/channels/{channelId}
PUT    /api/integrations/notifications/channels/{channelId}
DELETE /api/integrations/notifications/channels/{channelId}
POST   /api/event-streaming
GET    /api/event-streaming
GET    /api/event-streaming/{id}
PUT    /api/event-streaming/{id}
DELETE /api/event-streaming/{id}
GET    /api/events/audit
GET    /api/events/network-traffic
GET    /api/events/proxy
DELETE /api/networks/{networkId}/routers/{routerId} not shown
DELETE /api/policies/{policyId} not shown
DELETE /api/posture-checks/{postureCheckId} not shown
DELETE /api/integrations/edr/edr-provider-a not shown
`;

/** Two rows have one path in all but the name of its placeholder; a document can have only one. */
const SHARED = ['/api/users/invites/{inviteId}', '/api/users/invites/{token}'];

export const OPERATIONS = ROWS.trim()
  .split('\n')
  .map(line => {
    const [method = '', row = '', ...source] = line.split(/\s+/);
    const path = SHARED.includes(row) ? '/api/users/invites/{invite}' : row;
    return { method, path, notShown: source.join(' ') === 'not shown' };
  });

/** Operations that write and take no body. */
export const WITHOUT_BODY = [
  'resendUserInvitation',
  'approveUser',
  'verifyMspTenantDomain',
  'inviteMspTenant',
  'regenerateScimToken',
  'runDirectorySyncA',
  'runDirectorySyncB',
];

/** Operations that need no credentials. */
export const PUBLIC = ['getUserInvite', 'acceptUserInvite'];

/** Operations that only the hosted service has (specification, conventions). */
export const CLOUD_ONLY = /\/ingress\/|\/network-traffic$/;

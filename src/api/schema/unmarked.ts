// Secrets that the contract describes without marking them, by the JSON pointers of their schemas. A schema that the
// contract marks `x-secret` does not belong here; a test says which do.

/** The schemas of values that are secrets although no mark says so. */
export const UNMARKED_SECRETS: ReadonlySet<string> = new Set([
  ...[
    'PlainToken',
    'Password',
    'PasswordChangeRequest/properties/old_password',
    'User/properties/password',
    'UserInvite/properties/invite_token',
    'RegeneratedInvite/properties/invite_token',
    'SetupKey/properties/key',
    'ScimIntegration/properties/auth_token',
    'ScimToken/properties/auth_token',
    // The address of a webhook often holds the word that lets one in.
    'WebhookTarget/properties/url',
    'WebhookTarget/properties/headers/additionalProperties',
    // Which settings of a platform are credentials is the platform's to say.
    'EventStream/properties/config/additionalProperties',
    'EventStreamRequest/properties/config/additionalProperties',
  ].map(name => `/components/schemas/${name}`),
  '/components/parameters/InviteToken/schema',
  '/paths/~1api~1users~1invites~1{invite}/get/parameters/0/schema',
]);

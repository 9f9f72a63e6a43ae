// Text that something of the organization may not be used in a workspace (decisions A26): the end of each such sentence. Pure.
export const withheldText = "may not be used in this workspace; owners and admins of the organization say where it may"

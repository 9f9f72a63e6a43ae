// How it is said that something of the organization is not for a workspace (decisions A26): the end of each such sentence. Pure.
export const withheldText = "may not be used in this workspace; owners and admins of the organization say where it may"

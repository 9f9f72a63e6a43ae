// A member of a workspace: another role, or out of it.
import { useId } from "react"
import { client } from "../../api/client.ts"
import { workspaceMemberRow as texts } from "../../texts/admin/workspaces.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { useChange } from "./adminQueries.ts"
import type { Member } from "./memberWords.ts"
import { type WorkspaceMember, workspaceRoles } from "./workspaceWords.ts"

interface RowProps {
  readonly member: WorkspaceMember
  readonly person: Member | undefined
  readonly mayChange: boolean
  readonly self: boolean
}
export const WorkspaceMemberRow = ({ member, person, mayChange, self }: RowProps) => {
  const id = useId()
  const { user_id, workspace_id } = member
  const stale = [["workspaces"], ["apps"]]
  const name = person?.name ?? texts.userUserId(user_id)
  const putRole = useChange(
    (role: WorkspaceMember["role"]) => client.workspaces.memberPut({ workspace_id, body: { user_id, role } }),
    stale
  )
  const remove = useChange(() => client.workspaces.memberRemove({ workspace_id, user_id }), stale)
  const roles = (["admin", "member", "guest"] as const).filter((role) => person?.role !== "guest" || role === "guest")
  return (
    <li className="person">
      <div>
        <strong>{name}</strong>
        {self && <span className="muted"> {texts.you}</span>}
        <small className="muted">{person?.email}</small>
      </div>
      {mayChange ? (
        <div className="member-role">
          <label className="unseen" htmlFor={id}>
            {texts.roleOf(name)}
          </label>
          <select
            id={id}
            value={member.role}
            disabled={putRole.isPending}
            onChange={({ target }) => putRole.mutate(target.value as WorkspaceMember["role"])}
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {workspaceRoles[role]}
              </option>
            ))}
          </select>
        </div>
      ) : (
        <Tag>{workspaceRoles[member.role].split(":")[0]}</Tag>
      )}
      {(mayChange || self) && (
        <Confirm
          label={self ? texts.leave : texts.remove}
          about={name}
          title={self ? texts.leaveTheWorkspace : texts.removeFromTheWorkspace(name)}
          yes={self ? texts.leave : texts.remove}
          busy={remove.isPending}
          onYes={() => remove.mutate(undefined)}
        >
          <p>
            {texts.itsAppsNoLongerUnless(self ? texts.youSee : texts.theySee, self ? texts.youInSentence : texts.they)}
          </p>
        </Confirm>
      )}
      {putRole.isError && <Failure what={texts.roleStaysAsItIs} error={putRole.error} />}
      {remove.isError && <Failure what={texts.staysAMember(name)} error={remove.error} />}
    </li>
  )
}

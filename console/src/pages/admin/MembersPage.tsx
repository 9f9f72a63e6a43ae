// People of the organization: their roles, who has not joined yet; invited, changed, deactivated and removed by owners and admins.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { users } from "../../api/queries.ts"
import { membersPage as texts } from "../../texts/admin/members.ts"
import { Search } from "../../ui/Search.tsx"
import { Asked } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { AddMember } from "./AddMember.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { MemberActions } from "./MemberActions.tsx"
import { changeable, type Member, roleWords, statusTones, statusWordOf } from "./memberWords.ts"
import { administers, type Role } from "./places.ts"

interface ListProps {
  readonly all: ReadonlyArray<Member>
  readonly role: Role
  readonly userId: number
}
const List = ({ all, role, userId }: ListProps) => {
  const [wanted, setWanted] = useState("")
  const words = wanted.trim().toLowerCase()
  const matchingMembers = all.filter(({ email, name }) => `${name} ${email}`.toLowerCase().includes(words))
  const owners = all.filter((one) => one.role === "owner" && one.status === "active").length
  return (
    <>
      <Search
        label={texts.findAPerson}
        value={wanted}
        onChange={setWanted}
        count={texts.countOfTotal(matchingMembers.length, all.length)}
      />
      <ul className="plain card people">
        {matchingMembers.map((member) => (
          <li key={member.user_id} className="person">
            <div>
              <strong>{member.name}</strong>
              {member.user_id === userId && <span className="muted"> {texts.you}</span>}
              <small className="muted">{member.email}</small>
            </div>
            <div>
              <Tag>{roleWords[member.role].word}</Tag>
              <Tag tone={statusTones[member.status]}>{statusWordOf(member)}</Tag>
            </div>
            {administers(role) && (
              <div className="person-actions">
                {changeable(role, userId, member, owners) && <MemberActions member={member} mine={role} />}
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

export const MembersPage = () => {
  return (
    <AdminPage at="/admin/members" actions={(role) => administers(role) && <AddMember />}>
      {(role, userId) => <Members role={role} userId={userId} />}
    </AdminPage>
  )
}

const Members = ({ role, userId }: { readonly role: Role; readonly userId: number }) => (
  <Asked query={useQuery(users)} failed={texts.loadingMembersFailed}>
    {({ users: all }) => <List all={all} role={role} userId={userId} />}
  </Asked>
)

// The frame of the administration's pages: their own navigation, which leaves out what the reader's role does not open. Who comes by the
// address alone is told why there is nothing to see; nothing of the page is asked for then.
import "./admin.css"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { me } from "../../api/queries.ts"
import { adminPage as texts } from "../../texts/admin/admin.ts"
import { Page } from "../../ui/Page.tsx"
import { SubNavigation } from "../../ui/SubNavigation.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { type AdminPlace, adminPlaces, type Role } from "./places.ts"

interface AdminPageProps {
  readonly at: AdminPlace["to"]
  /** Title of a page below the entry. */
  readonly title?: string
  readonly lead?: ReactNode
  readonly actions?: (role: Role) => ReactNode
  readonly children: (role: Role, userId: number) => ReactNode
}

export const AdminPage = ({ at, title, lead, actions, children }: AdminPageProps) => {
  const query = useQuery(me)
  const adminSection = adminPlaces.find(({ to }) => to === at)!
  const role = query.data?.role
  const mayOpen = role !== undefined && adminSection.opens(role)
  return (
    <Page
      title={title ?? adminSection.text}
      lead={lead ?? adminSection.about}
      {...(mayOpen && actions !== undefined && { actions: actions(role) })}
      trail={<Link to="/admin">{texts.administration}</Link>}
    >
      <Asked query={query} failed={texts.loadingYourRoleFailed}>
        {(self) => (
          <>
            <SubNavigation label={texts.administration} places={adminPlaces.filter(({ opens }) => opens(self.role))} />
            {adminSection.opens(self.role) ? (
              children(self.role, self.user_id)
            ) : (
              <Empty title={texts.yourRoleDoesNotShow}>
                <p>{adminSection.whose}</p>
              </Empty>
            )}
          </>
        )}
      </Asked>
    </Page>
  )
}

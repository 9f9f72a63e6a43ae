// The administration's first page: what there is for the reader's role.
import "./admin.css"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { me } from "../../api/queries.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked } from "../../ui/states.tsx"
import { adminPlaces } from "./places.ts"

export const AdminStartPage = () => (
  <Page title="Administration" lead="The organization, its people and what may act for them.">
    <Asked query={useQuery(me)} what="your role">
      {({ role }) => (
        <ul className="grid plain">
          {adminPlaces
            .filter(({ opens }) => opens(role))
            .map(({ about, text, to }) => (
              <li key={to} className="card place">
                <h2>
                  <Link to={to}>{text}</Link>
                </h2>
                <p className="muted">{about}</p>
              </li>
            ))}
        </ul>
      )}
    </Asked>
  </Page>
)

// The peer of the rows pocketbase-*: PocketBase as a library, with a collection of orders. Each commit reaches the disk, as those of
// Postgres do. GET /bench answers the token of a user.
package main

import (
	"log"
	"os"
	"strconv"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
	"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)"

const insertOrders = `
	WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {:count})
	INSERT INTO orders (id, reference, weight, remark)
	SELECT printf('order%010d', i), 'Order ' || i, i % {:weights}, '' FROM n`

func openDatabase(path string) (*dbx.DB, error) {
	return dbx.Open("sqlite", path+pragmas)
}

func addOrders(app core.App, count int, weights int) error {
	orders := core.NewBaseCollection("orders")
	signedIn := types.Pointer("@request.auth.id != ''")
	orders.ListRule, orders.ViewRule, orders.CreateRule, orders.UpdateRule = signedIn, signedIn, signedIn, signedIn
	orders.Fields.Add(
		&core.TextField{Name: "reference"},
		&core.NumberField{Name: "weight"},
		&core.TextField{Name: "remark"},
		&core.AutodateField{Name: "created", OnCreate: true},
	)
	orders.AddIndex("orders_page", false, "weight, reference", "")
	if err := app.Save(orders); err != nil {
		return err
	}
	_, err := app.DB().NewQuery(insertOrders).Bind(dbx.Params{"count": count, "weights": weights}).Execute()
	return err
}

func addUser(app core.App) (string, error) {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return "", err
	}
	user := core.NewRecord(users)
	user.SetEmail("user@example.test")
	user.SetRandomPassword()
	if err := app.Save(user); err != nil {
		return "", err
	}
	return user.NewAuthToken()
}

func numberFrom(name string) int {
	number, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		log.Fatal(name, ": ", err)
	}
	return number
}

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{DBConnect: openDatabase})
	app.OnServe().BindFunc(func(serving *core.ServeEvent) error {
		if err := addOrders(serving.App, numberFrom("ORDERS"), numberFrom("WEIGHTS")); err != nil {
			return err
		}
		token, err := addUser(serving.App)
		if err != nil {
			return err
		}
		serving.Router.GET("/bench", func(request *core.RequestEvent) error { return request.String(200, token) })
		return serving.Next()
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

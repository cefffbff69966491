// Package guard answers 404 for ids that certainly do not exist, before they reach the database.
package guard

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Guard checks requests against a Bloomgate filter.
type Guard struct {
	Filter    string
	URL       string                     // such as http://localhost:8080
	ElementOf func(*http.Request) string // the requested id, or "" to let the request pass
	FailOpen  bool
}

var client = &http.Client{
	Timeout:   100 * time.Millisecond,
	Transport: &http.Transport{MaxIdleConnsPerHost: 64},
}

// Handler returns a handler that guards next.
func (g Guard) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if element := g.ElementOf(r); element != "" {
			known, err := g.mightContain(r, element)
			if err != nil {
				log.Printf("The filter cannot be queried: %v", err)
				if !g.FailOpen {
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
			} else if !known {
				http.NotFound(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func (g Guard) mightContain(r *http.Request, element string) (bool, error) {
	path := g.URL + "/v1/filters/" + g.Filter + "/test?element=" + url.QueryEscape(element)
	ask, err := http.NewRequestWithContext(r.Context(), http.MethodGet, path, nil)
	if err != nil {
		return false, err
	}
	if key := os.Getenv("BLOOMGATE_KEY"); key != "" {
		ask.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := client.Do(ask)
	if err != nil {
		return false, errors.Unwrap(err) // without the URL, which has the element
	}
	defer answer.Body.Close()
	var body struct {
		MightContain []bool
		Code, Detail string
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		return false, err
	}
	// Not a "no": 404 means that the filter does not exist.
	if answer.StatusCode != http.StatusOK || len(body.MightContain) != 1 {
		return false, fmt.Errorf("%d %s: %s", answer.StatusCode, body.Code, body.Detail)
	}
	return body.MightContain[0], nil
}

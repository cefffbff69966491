/**
 * On which threads work is done. Add and test never wait on a thread; what is done with filters as
 * wholes runs on worker threads and waits there, by {@link io.github.bloomgate.threads.Await}.
 */
package io.github.bloomgate.threads;

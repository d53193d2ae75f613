#pragma once

#include <stdint.h>

// A SQLite file system that fails on purpose, and stops where another connection may come between; and an allocator that
// fails. For tests.

/// One file system with its own count of operations; any number can exist at a time.
typedef struct cfaults cfaults;

enum cfaults_kind {
  /// The operation fails and has no effect.
  CFAULTS_IO = 0,
  /// The operation fails because the disk is full.
  CFAULTS_FULL = 1,
  /// A write fails after its first half; other operations fail without effect.
  CFAULTS_TORN = 2,
};

/// Makes a file system under this name, over SQLite's default one. NULL if there is no memory.
cfaults *_Nullable cfaults_create(const char *_Nonnull name);

/// Unregisters it and ends the observation: no connection may be opened on it any more. It is freed when the last of
/// its files is closed.
void cfaults_destroy(cfaults *_Nonnull faults);

/// Lets the `countdown`-th write, sync or truncation from now fail, and, if `persistent`, all that follow it too.
void cfaults_arm(cfaults *_Nonnull faults, enum cfaults_kind kind, int persistent, int64_t countdown);

/// Lets everything succeed again.
void cfaults_disarm(cfaults *_Nonnull faults);

/// How many writes, syncs and truncations there were since it was armed.
int64_t cfaults_operations(const cfaults *_Nonnull faults);

/// Whether one has failed since it was armed.
int cfaults_fired(const cfaults *_Nonnull faults);

/// Where one connection's work and another's can meet.
enum cfaults_point {
  /// Before the file is locked or unlocked; with the level.
  CFAULTS_LOCK,
  CFAULTS_UNLOCK,
  /// Before something is done with the write-ahead log's index in shared memory; a lock comes with its slot and flags.
  CFAULTS_SHM_MAP,
  CFAULTS_SHM_LOCK,
  CFAULTS_SHM_BARRIER,
  CFAULTS_SHM_UNMAP,
  /// After a lock was taken or given back there.
  CFAULTS_SHM_LOCKED,
  /// In a checkpoint, between reading the index's header, which has changed, and how much of the log is taken over.
  CFAULTS_HEADER_READ,
  /// Before a file is synchronised, which the observer may leave out.
  CFAULTS_SYNC,
  /// Before a connection waits, for so many microseconds, unless the observer has waited for it.
  CFAULTS_SLEEP,
};

/// Called on the thread that does it. True if a synchronisation or a sleep is done with.
typedef int (*cfaults_observer)(void *_Nullable context, enum cfaults_point point, int at, int flags);

/// Has an observer called at every point from here on; NULL for none. No connection may be in use at this moment.
void cfaults_observe(cfaults *_Nonnull faults, cfaults_observer _Nullable observer, void *_Nullable context);

/// Puts an allocator under SQLite that can fail. Before anything else of SQLite is called in the process; 0 if it worked.
int cfaults_install_allocator(void);

/// Lets the `countdown`-th allocation of SQLite from now fail, once; 0 lets all succeed.
void cfaults_fail_allocation(int64_t countdown);

/// Whether an allocation has failed since.
int cfaults_allocation_failed(void);

/// Whether SQLite keeps the log of a database that is opened from here on after its last connection has closed, as
/// Apple's SQLite does by itself. 0 if it worked.
int cfaults_keep_logs(int keeps);

#pragma once

#include <stdint.h>

// A SQLite file system that fails on purpose, and an allocator that does. For tests.

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

/// Unregisters and frees it. No connection may use it any more.
void cfaults_destroy(cfaults *_Nonnull faults);

/// Lets the `countdown`-th write, sync or truncation from now fail, and, if `persistent`, all that follow it too.
void cfaults_arm(cfaults *_Nonnull faults, enum cfaults_kind kind, int persistent, int64_t countdown);

/// Lets everything succeed again.
void cfaults_disarm(cfaults *_Nonnull faults);

/// How many writes, syncs and truncations there were since it was armed.
int64_t cfaults_operations(const cfaults *_Nonnull faults);

/// Whether one has failed since it was armed.
int cfaults_fired(const cfaults *_Nonnull faults);

/// Puts an allocator under SQLite that can fail. Before anything else of SQLite is called in the process; 0 if it worked.
int cfaults_install_allocator(void);

/// Lets the `countdown`-th allocation of SQLite from now fail, once; 0 lets all succeed.
void cfaults_fail_allocation(int64_t countdown);

/// Whether an allocation has failed since.
int cfaults_allocation_failed(void);

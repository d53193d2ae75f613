#pragma once

#include <yyjson.h>
